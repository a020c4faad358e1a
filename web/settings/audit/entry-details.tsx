import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/page.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/settings/audit.ts';
import type { Entry } from './page.tsx';

/** Everything that the log knows of one act. */
export function EntryDetails({ entry, onClose }: { entry: Entry; onClose(): void }) {
  const { id, at, actor, action, target, request_id: request, details } = entry;
  const more = Object.entries(details ?? {}).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  return (
    <Dialog open onClose={onClose} title={words.told(action)} side>
      <Facts
        facts={[
          [words.code, <Id key="action" value={action} />],
          [words.at, <When key="at" at={at} exact />],
          [words.columns.who, actor.name ?? words.kinds[actor.kind] ?? actor.kind],
          [words.actorId, <Id key="actor" value={actor.id} />],
          [words.columns.about, target === null ? words.none : <Id key="target" value={target} />],
          [words.request, request === null ? words.none : <Id key="request" value={request} />],
          [words.row, <Id key="row" value={id} />],
          ...more,
        ]}
      />
    </Dialog>
  );
}

function Id({ value }: { value: string }) {
  return <code className="font-mono text-xs break-all">{value}</code>;
}
