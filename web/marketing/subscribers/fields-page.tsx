import { Plus, Tags } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { allRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { words as shared } from '../../words/shared.ts';
import { words } from '../../words/subscribers.ts';
import { FieldDialog } from './field-dialog.tsx';
import { RemoveFieldDialog } from './remove-field-dialog.tsx';
import { SubscriberTabs } from './subscriber-tabs.tsx';

export type FieldType = Reply<'listCustomFieldTypes'>['data'][number];

const COLUMNS: readonly Column<FieldType>[] = [
  { name: words.fieldColumns.name, cell: ({ attributes }) => <span className="font-medium">{attributes.name}</span> },
  { name: words.fieldColumns.kind, cell: ({ attributes: { kind } }) => words.kinds[kind] ?? kind },
  {
    name: words.fieldColumns.class,
    cell: ({ attributes: { class: given } }) => (
      <Badge tone={given === 'phi' ? 'info' : 'plain'}>{words.classes[given] ?? given}</Badge>
    ),
  },
];

/** The fields that a customer keeps of its people. */
export function FieldsPage() {
  const mayAdd = useMay('editor');
  const mayChange = useMay('admin');
  const read = useRead('listCustomFieldTypes', {});
  const [open, setOpen] = useState<{ act: 'edit' | 'remove'; field: FieldType | null } | null>(null);
  const close = () => setOpen(null);
  const add = mayAdd && (
    <Button look="primary" icon={Plus} onClick={() => setOpen({ act: 'edit', field: null })}>
      {words.addField}
    </Button>
  );
  const acts: Column<FieldType> = {
    name: shared.more,
    width: '4rem',
    align: 'right',
    cell: (field) => (
      <Menu
        label={words.fieldActions(field.attributes.name)}
        items={[
          { label: words.edit, onSelect: () => setOpen({ act: 'edit', field }) },
          { label: words.fieldRemove, danger: true, onSelect: () => setOpen({ act: 'remove', field }) },
        ]}
      />
    ),
  };
  return (
    <Page wide title={words.title} lead={words.fieldsLead} actions={add}>
      <SubscriberTabs />
      <Loaded read={read}>
        {({ data }) => (
          <Table
            label={words.fieldsLabel}
            columns={mayChange ? [...COLUMNS, acts] : COLUMNS}
            rows={allRows(data)}
            keyOf={({ id }) => id}
            empty={
              <Empty icon={Tags} title={words.fieldsEmpty} action={add}>
                {words.fieldsEmptyLead}
              </Empty>
            }
          />
        )}
      </Loaded>
      {open?.act === 'edit' && <FieldDialog field={open.field} onClose={close} />}
      {open?.act === 'remove' && open.field !== null && <RemoveFieldDialog field={open.field} onClose={close} />}
    </Page>
  );
}
