import { once } from 'node:events';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from '../../src/platform/net/self-signed.ts';
import { Lines } from './lines.ts';
import type { Act, Moment, Script, Stage } from './script.ts';

const OFFERS = ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES', 'SIZE 26214400'];

/** A message whose last dot came. */
export interface Handed {
  from: string;
  recipients: string[];
  mime: string;
  secured: boolean;
  /** The first line that was said to it; null where nothing was. */
  reply: string | null;
}

/** What one connection brought. */
export interface Heard {
  clear: Buffer[];
  secured: Buffer[];
  tls: { version: string; serverName: string | false } | null;
  messages: Handed[];
}

interface Setting {
  name: string;
  script: Script;
  certificate: Certificate;
  connections: number;
}

/** Plays one connection to its end. It takes mail in clear as well, so that a client that would send any is found out. */
export async function converse(raw: Socket, setting: Setting, heard: Heard): Promise<void> {
  let socket = raw;
  let lines = new Lines(raw, (chunk) => heard.clear.push(chunk));
  let messages = 0;
  let moment: Moment = { ...blank(), ...situation('banner', '') };

  function situation(stage: Stage, line: string) {
    const { connections } = setting;
    return { stage, line, connections, messages, pipelined: lines.hasMore, secured: socket !== raw };
  }

  /** Answers whether the dialogue goes on. */
  async function perform(stage: Stage, line: string): Promise<{ goesOn: boolean; said: string | null }> {
    moment = { ...moment, ...situation(stage, line) };
    const act = setting.script.act?.(moment) ?? usual(setting, moment);
    const said = await utter(socket, act.say ?? '');
    if (act.then === 'close') socket.destroySoon();
    if (act.then === 'reset') raw.resetAndDestroy();
    if (act.then === 'half-close') socket.end();
    if (act.then === 'stop reading') socket.pause();
    if (stage === 'starttls' && said.startsWith('220') && act.then === undefined) await upgrade();
    return { goesOn: act.then === undefined || act.then === 'go on in clear', said: said === '' ? null : said };
  }

  async function upgrade(): Promise<void> {
    lines.detach();
    const secured = new TLSSocket(raw, { isServer: true, ...setting.certificate, ...setting.script.tls });
    secured.on('error', () => {});
    secured.once('secure', () => {
      const { servername } = secured as TLSSocket & { servername: string | false };
      heard.tls = { version: secured.getProtocol() ?? '', serverName: servername };
    });
    socket = secured;
    lines = new Lines(secured, (chunk) => heard.secured.push(chunk));
  }

  /** Reads up to the dot; answers false where the client breaks off before it. */
  async function takeContent(): Promise<boolean> {
    const content: string[] = [];
    for (;;) {
      const line = await lines.next();
      if (line === null) return false;
      if (line === '.') break;
      content.push(line.startsWith('.') ? line.slice(1) : line);
    }
    moment = { ...moment, mime: `${content.join('\r\n')}\r\n` };
    const { from, recipients, mime } = moment;
    const handed: Handed = { from, recipients, mime, secured: socket !== raw, reply: null };
    heard.messages.push(handed);
    const { goesOn, said } = await perform('dot', '');
    handed.reply = said?.split('\r\n')[0] ?? null;
    moment = { ...moment, ...blank() };
    return goesOn;
  }

  if (!(await perform('banner', '')).goesOn) return;
  for (;;) {
    const line = await lines.next();
    if (line === null) return socket.destroySoon();
    const stage = stageOf(line, socket !== raw);
    if (stage === 'mail') moment = { ...moment, ...blank(), from: pathIn(line) };
    const { goesOn, said } = await perform(stage, line);
    if (!goesOn) return;
    if (stage === 'mail') {
      messages += 1;
      moment.begun = said?.startsWith('250') === true;
    }
    if (stage === 'rset') moment = { ...moment, ...blank() };
    if (stage === 'rcpt' && said?.startsWith('25') === true) moment.recipients.push(pathIn(line));
    if (stage === 'data' && said?.startsWith('354') === true && !(await takeContent())) return;
  }
}

function usual({ name, script }: Setting, { stage, secured, begun, recipients }: Moment): Act {
  const { offers = [...OFFERS, 'STARTTLS'], offersSecured = OFFERS } = script;
  if (stage === 'banner') return { say: `220 ${name} ESMTP\r\n` };
  if (stage === 'ehlo' || stage === 'secured ehlo') return { say: hello(name, secured ? offersSecured : offers) };
  if (stage === 'starttls') return { say: '220 2.0.0 go ahead\r\n' };
  if (stage === 'rcpt' && !begun) return { say: '503 5.5.1 MAIL first\r\n' };
  if (stage === 'data') {
    return { say: recipients.length > 0 ? '354 go on\r\n' : '554 5.5.1 no valid recipients\r\n' };
  }
  if (stage === 'dot') return { say: '250 2.0.0 kept\r\n' };
  if (stage === 'quit') return { say: '221 2.0.0 bye\r\n', then: 'close' };
  return { say: stage === 'other' ? '500 5.5.2 what?\r\n' : '250 2.0.0 ok\r\n' };
}

/** The reply to EHLO with one extension a line. */
export function hello(name: string, offers: string[]): string {
  const all = [name, ...offers];
  return all.map((line, index) => `250${index === all.length - 1 ? ' ' : '-'}${line}\r\n`).join('');
}

function stageOf(line: string, secured: boolean): Stage {
  const verb = /^[a-z]*/i.exec(line)?.[0].toLowerCase() ?? '';
  if (verb === 'ehlo' || verb === 'helo') return secured ? 'secured ehlo' : 'ehlo';
  const known = ['starttls', 'mail', 'rcpt', 'data', 'rset', 'quit'] as const;
  return known.find((each) => each === verb) ?? 'other';
}

function pathIn(line: string): string {
  const path = /<([^>]*)>/.exec(line)?.[1] ?? '';
  return Buffer.from(path, 'latin1').toString();
}

function blank() {
  return { begun: false, from: '', recipients: [] as string[], mime: '' };
}

/** Sends it all, as fast as the other side takes it, and answers what was sent. */
async function utter(socket: Socket, say: NonNullable<Act['say']>): Promise<string> {
  let said = '';
  for await (const bytes of typeof say === 'string' ? [say] : say) {
    if (bytes === '') continue;
    if (socket.destroyed || !socket.writable) break;
    if (said.length < 10_000) said += bytes;
    if (socket.write(bytes)) continue;
    const settled = new AbortController();
    const { signal } = settled;
    await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).catch(() => {});
    settled.abort();
  }
  return said;
}
