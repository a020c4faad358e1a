import type { Reply } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Facts } from '../../ui/page.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/domains.ts';

type DnsRecord = Reply<'readSendingDomain'>['data']['records'][number];

const TONES = { unchecked: 'plain', found: 'good', missing: 'bad', differs: 'bad', unanswered: 'warn' } as const;

/** One record: what to enter where, and whether it can be seen. */
export function RecordPart({ record }: { record: DnsRecord }) {
  const { purpose, type, name, value, required, key, removable_after: removable, status, found } = record;
  return (
    <li className="rounded-md border p-3 sm:p-4">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <h3 className="font-medium">{words.purposes[purpose]}</h3>
        <Badge tone={status === 'missing' && !required ? 'warn' : TONES[status]}>{words.recordStates[status]}</Badge>
        <Badge>{required ? words.required : words.recommended}</Badge>
        {key !== null && <Badge tone="info">{words.keys[key]}</Badge>}
      </div>
      <Facts
        facts={[
          [words.type, <code key="type">{type}</code>],
          [words.name, <CopyText key="name" label={`${words.name}, ${words.purposes[purpose]}`} value={name} />],
          [words.value, <CopyText key="value" label={`${words.value}, ${words.purposes[purpose]}`} value={value} />],
          ...(status === 'differs'
            ? [
                [
                  words.seen,
                  <code key="seen" className="text-sm break-all">
                    {found.join(' · ')}
                  </code>,
                ] as const,
              ]
            : []),
          ...(removable === null ? [] : [[words.removable, <When key="removable" at={removable} exact />] as const]),
        ]}
      />
    </li>
  );
}
