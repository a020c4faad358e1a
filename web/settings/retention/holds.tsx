import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/settings/holds.ts';
import { ReleaseHold } from './release-hold.tsx';
import { SetHold } from './set-hold.tsx';

export type Hold = Reply<'listHolds'>['data'][number];

/** What nobody may remove, whatever its age. */
export function Holds() {
  const read = useRead('listHolds', {});
  const [setting, setSetting] = useState(false);
  const [releasing, setReleasing] = useState<Hold | null>(null);
  const add = (
    <Button icon={Plus} onClick={() => setSetting(true)}>
      {words.set}
    </Button>
  );
  return (
    <Card title={words.title} lead={words.lead} actions={add}>
      <Loaded read={read}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-sm text-soft">{words.none}</p>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {data.map((hold) => (
                <Entry key={hold.id} hold={hold} onRelease={() => setReleasing(hold)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {setting && <SetHold onClose={() => setSetting(false)} />}
      {releasing !== null && <ReleaseHold hold={releasing} onClose={() => setReleasing(null)} />}
    </Card>
  );
}

function Entry({ hold, onRelease }: { hold: Hold; onRelease(): void }) {
  const stands = hold.released_at === null;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium break-words">
          {words.kinds[hold.kind]} {hold.email ?? hold.target ?? ''}
        </p>
        <p className="text-sm text-soft break-words">
          {hold.reason} · <When at={hold.set_at} />
        </p>
      </div>
      <Badge tone={stands ? 'warn' : 'plain'}>{stands ? words.stands : words.released}</Badge>
      {stands && !hold.by_operator && <Button onClick={onRelease}>{words.release}</Button>}
      {stands && hold.by_operator && <span className="text-sm text-soft">{words.byOperator}</span>}
    </li>
  );
}
