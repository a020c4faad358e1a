import { useState } from 'react';
import type { Reply } from '../../../api/client.ts';
import { useRead } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/problem.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/forms/submission.ts';
import type { Submission } from './page.tsx';
import { useWho } from './who.ts';

type Disclosure = Reply<'listDisclosures'>['data'][number];

const FEW = 10;
const MINUTE_LETTERS = 16;
const MOST = 100;

/** Who has read a submission or taken it out, the latest first. */
export function Seen({ submission }: { submission: Submission }) {
  const who = useWho();
  const [items, setItems] = useState(FEW);
  const read = useRead(
    'listDisclosures',
    { params: { id: submission.form_id, sid: submission.id }, query: { items: String(items) } },
    { keep: true },
  );
  return (
    <Card title={words.seen} lead={words.seenLead}>
      <Loaded read={read}>
        {({ data, total }) => (
          <>
            {total === 0 && <p className="text-sm text-soft">{words.noSeen}</p>}
            <ul className="flex flex-col divide-y">
              {visitsOf(data).map(({ id, at, kind, actor, actions }) => (
                <li key={id} className="py-2 text-sm">
                  <p>
                    {actions.map((action) => words.actions[action] ?? action).join(', ')} {words.by(who(kind, actor))}
                  </p>
                  <p className="text-xs text-soft">
                    <When at={at} exact />
                  </p>
                </li>
              ))}
            </ul>
            {total > data.length && items < MOST && (
              <Button className="mt-2" onClick={() => setItems(MOST)}>
                {words.moreSeen}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

interface SeenOnce {
  id: string;
  at: string;
  kind: string;
  actor: string;
  actions: string[];
}

/** What somebody did within the same minute is one visit: a page asks for several things at once. */
function visitsOf(disclosures: readonly Disclosure[]): SeenOnce[] {
  const visits = new Map<string, SeenOnce>();
  for (const { id, at, action, actor_kind: kind, actor_id: actor } of disclosures) {
    const key = `${at.slice(0, MINUTE_LETTERS)} ${kind} ${actor}`;
    const visit = visits.get(key) ?? { id, at, kind, actor, actions: [] };
    if (!visit.actions.includes(action)) visit.actions.push(action);
    visits.set(key, visit);
  }
  return [...visits.values()];
}
