import type { Reply } from '../../../api/client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { usePagedRows } from '../../../ui/rows.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/mailings.ts';
import { CsvButton } from '../csv-button.tsx';

type Clicker = Reply<'readLinkClickers'>['data'][number];

const SIZE = 50;
const { clickerColumns: titles } = words;

const COLUMNS: Column<Clicker>[] = [
  { name: titles.name, cell: ({ full_name: name }) => name },
  { name: titles.email, cell: ({ email }) => email ?? words.deletedPerson },
  { name: titles.clicks, align: 'right', cell: ({ clicks }) => clicks.toLocaleString('en') },
  { name: titles.first, wideOnly: true, cell: ({ first_at: at }) => <When at={at} /> },
];

interface ClickersProps {
  /** The places of a mailing that lead to the address. */
  linkIds: readonly string[];
  url: string;
  onClose(): void;
}

/** Who followed the links to an address, place by place. */
export function Clickers({ linkIds, url, onClose }: ClickersProps) {
  return (
    <Dialog open onClose={onClose} wide title={words.clickersTitle} lead={url}>
      {linkIds.map((id, at) => (
        <ClickersOf
          key={id}
          linkId={id}
          title={linkIds.length === 1 ? words.clickersTitle : words.clickersOf(at + 1, linkIds.length)}
          isOnly={linkIds.length === 1}
        />
      ))}
    </Dialog>
  );
}

function ClickersOf({ linkId, title, isOnly }: { linkId: string; title: string; isOnly: boolean }) {
  const rows = usePagedRows({
    op: 'readLinkClickers',
    size: SIZE,
    input: (page) => ({ query: { tracking_link_id: linkId, page: String(page), items: String(SIZE) } }),
    read: (reply) => ({ rows: reply.data, count: reply.page_info.count }),
  });
  return (
    <section className="flex flex-col gap-3">
      {!isOnly && <h3 className="text-sm font-medium">{title}</h3>}
      <Table
        label={title}
        height={isOnly ? '24rem' : '16rem'}
        columns={COLUMNS}
        rows={rows}
        keyOf={({ subscriber_id: id }) => id}
        empty={<p className="text-sm text-soft">{words.nobodyClicked}</p>}
      />
      <div>
        <CsvButton op="exportLinkClickers" input={{ query: { tracking_link_id: linkId } }} what={title} />
      </div>
    </section>
  );
}
