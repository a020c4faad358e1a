import { CircleAlert, CircleCheck, CircleDashed, type LucideIcon } from 'lucide-react';
import type { Reply } from '../api/client.ts';
import { useRead } from '../api/query.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { classes } from '../ui/classes.ts';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/problem.tsx';
import { words as all } from '../words/operator.ts';

type Check = Reply<'readHealth'>['checks'][number];

const words = all.health;
const POLL_MS = 10_000;

const LOOKS: Record<Check['state'], { icon: LucideIcon; tone: Tone; colour: string }> = {
  good: { icon: CircleCheck, tone: 'good', colour: 'text-good' },
  poor: { icon: CircleAlert, tone: 'bad', colour: 'text-bad' },
  unknown: { icon: CircleDashed, tone: 'plain', colour: 'text-soft' },
};

/** Whether everything that keeps the product going is well. */
export function HealthPage() {
  const read = useRead('readHealth', {}, { pollMs: POLL_MS });
  return (
    <Page title={words.title} lead={words.lead(read.data?.version ?? '')}>
      <Loaded read={read}>
        {({ checks }) => {
          const poor = checks.filter(({ state }) => state === 'poor').length;
          return (
            <>
              <p role="status" className={classes('text-lg font-semibold', poor === 0 ? 'text-good' : 'text-bad')}>
                {poor === 0 ? words.allGood : words.somePoor(poor)}
              </p>
              <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
                {checks.map((check) => (
                  <CheckCard key={check.name} check={check} />
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function CheckCard({ check: { name, state, measured } }: { check: Check }) {
  const { icon: Icon, tone, colour } = LOOKS[state];
  const said = words.checks[name];
  return (
    <li className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
      <div className="flex items-center gap-2">
        <Icon aria-hidden className={classes('size-5', colour)} />
        <h2 className="grow font-semibold">{said.name}</h2>
        <Badge tone={tone}>{words.states[state]}</Badge>
      </div>
      {measured !== null && <p className="text-soft">{said.measured(measured)}</p>}
      {state === 'poor' && <p className="text-sm">{said.poor}</p>}
      {state === 'unknown' && <p className="text-sm text-soft">{said.unknown}</p>}
    </li>
  );
}
