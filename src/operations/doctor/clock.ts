import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Check, failed, ok, type Verdict, warning } from './check.ts';

const MOST_APART_MS = 2_000;
const ZONES = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Sydney'];

/** Whether this machine and the database have the same time. */
export const clock: Check = {
  name: 'clock',
  needs: 'database',
  async look({ client, clock: ours }) {
    const { rows } = await client.query('select clock_timestamp() as now');
    const apart = Math.abs((rows[0].now as Date).getTime() - ours.now().getTime());
    if (apart < MOST_APART_MS) return [ok('this machine and the database agree on the time')];
    return [failed(`this machine and the database are ${apart} ms apart`, 'synchronise both with NTP')];
  },
};

/** Whether something keeps the clock of this machine right. */
export const timeService: Check = {
  name: 'time-service',
  needs: 'nothing',
  look: async () => [await timeServiceOf(askTimedate)],
};

/** What the machine's time service says of itself. */
export async function timeServiceOf(ask: () => Promise<string>): Promise<Verdict> {
  const said = await ask().catch(() => null);
  if (said === null) return ok('nothing here can tell whether the clock is synchronised');
  if (said.includes('NTPSynchronized=yes')) return ok('the clock of this machine is synchronised');
  return warning('the clock of this machine is not synchronised', 'run chrony or systemd-timesyncd');
}

async function askTimedate(): Promise<string> {
  const { stdout } = await promisify(execFile)('timedatectl', ['show', '--property=NTPSynchronized'], {
    timeout: 3_000,
  });
  return stdout;
}

/** Whether this machine and the database know the same rules of time zones. */
export const timeZones: Check = {
  name: 'time-zones',
  needs: 'database',
  async look({ client, clock: ours }) {
    const halfYear = 182 * 24 * 3600_000;
    const moments = [ours.now(), new Date(ours.now().getTime() + halfYear)];
    const { rows } = await client.query<{ zone: string; moment: Date; hour: string }>(
      `select zone, moment, to_char(moment at time zone zone, 'HH24:MI') as hour
       from unnest($1::text[]) zone, unnest($2::timestamptz[]) moment`,
      [ZONES, moments],
    );
    const wrong = rows.filter(({ zone, moment, hour }) => hourIn(zone, moment) !== hour).map(({ zone }) => zone);
    if (wrong.length === 0) return [ok('this machine and the database know the same time zones')];
    const names = [...new Set(wrong)].join(', ');
    return [failed(`it is another hour in ${names} for the database than here`, 'update Node.js and tzdata on both')];
  },
};

function hourIn(timeZone: string, moment: Date): string {
  const format = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en-GB', format).format(moment);
}
