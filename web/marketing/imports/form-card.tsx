import { useRead } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import { words } from '../../words/imports.ts';
import type { ImportAttributes } from './import-state.tsx';
import { labelOf } from './mapping.ts';

/** What the product took the file for. */
export function FormCard({ attributes }: { attributes: ImportAttributes }) {
  const { columns, encoding, delimiter, bytes, subscription_list_id: listId } = attributes;
  const lists = useRead(
    'listSubscriptionLists',
    { query: { order_by: 'name', order: 'asc' } },
    { enabled: listId !== null },
  );
  if (columns === null) return null;
  const list = lists.data?.data.find(({ id }) => id === listId)?.attributes.name;
  const taken = (
    <ol className="flex flex-wrap gap-1">
      {columns.map((column, at) => (
        <li key={`${at}-${column}`}>
          <Badge tone={column === null ? 'plain' : 'brand'}>{column === null ? words.leftOut : labelOf(column)}</Badge>
        </li>
      ))}
    </ol>
  );
  return (
    <Card title={words.formTitle}>
      <Facts
        facts={[
          [words.formColumns, taken],
          [words.formEncoding, encoding],
          [words.formDelimiter, delimiter === null ? null : (words.delimiters[delimiter] ?? delimiter)],
          [words.formSize, words.size(bytes)],
          ...(list === undefined ? [] : [[words.formList, list] as const]),
        ]}
      />
    </Card>
  );
}
