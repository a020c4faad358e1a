import { Link, useParams } from '@tanstack/react-router';
import { Send as SendIcon } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../../api/query.ts';
import { useMay } from '../../../session/session.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Card } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/problem.tsx';
import { usePagedRows } from '../../../ui/rows.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/mailings.ts';
import { MailingFrame } from '../mailing-frame.tsx';
import { type ChosenPerson, PersonPicker } from '../person-picker.tsx';
import { useChoices } from '../send/use-audience.ts';
import { Explanation } from './explanation.tsx';
import { isOver, type Send } from './send.ts';
import { SendState } from './send-state.tsx';

const SIZE = 50;
const POLL_MS = 5_000;

/** Every time that a mailing was sent, and what became of it for one person. */
export function SendsPage() {
  const { mailingId } = useParams({ strict: false }) as { mailingId: string };
  const read = useRead('readCampaignMailing', { params: { id: mailingId } });
  const mayExplain = useMay('editor');
  const { lists, segments } = useChoices();
  const names = new Map(
    [...(lists.data?.data ?? []), ...(segments.data?.data ?? [])].map(({ id, attributes }) => [id, attributes.name]),
  );
  const rows = usePagedRows({
    op: 'listCampaignMailingSends',
    size: SIZE,
    input: (page) => ({ query: { campaign_mailing_id: mailingId, page: String(page), items: String(SIZE) } }),
    read: (reply) => ({ rows: reply.data, count: reply.page_info.count }),
    pollMs: (sends) => (sends.every(isOver) ? false : POLL_MS),
  });
  return (
    <Loaded read={read}>
      {({ data }) => (
        <MailingFrame mailing={{ id: data.id, name: data.attributes.subject }}>
          <Table
            label={words.sendsTable}
            columns={columnsFor(names)}
            rows={rows}
            keyOf={({ id }) => id}
            empty={
              <Empty
                icon={SendIcon}
                title={words.noSends}
                action={
                  mayExplain && (
                    <ButtonLink look="primary" to="/marketing/mailings/$mailingId/send" params={{ mailingId }}>
                      {words.goSend}
                    </ButtonLink>
                  )
                }
              >
                {words.noSendsLead}
              </Empty>
            }
          />
          {mayExplain && rows.count > 0 && <WhyCard mailingId={mailingId} />}
        </MailingFrame>
      )}
    </Loaded>
  );
}

function columnsFor(names: ReadonlyMap<string, string>): Column<Send>[] {
  const { sendColumns: titles } = words;
  const count = (name: 'people' | 'delivered' | 'viewed' | 'clicked'): Column<Send> => ({
    name: titles[name],
    align: 'right',
    wideOnly: name !== 'delivered',
    cell: ({ attributes }) => attributes[name].toLocaleString('en'),
  });
  return [
    {
      name: titles.when,
      cell: ({ id, attributes: { send_at: at } }) => (
        <Link
          to="/marketing/mailings/sends/$sendId"
          params={{ sendId: id }}
          className="font-medium text-brand underline-offset-2 hover:underline"
        >
          <When at={at} exact />
        </Link>
      ),
    },
    {
      name: titles.to,
      wideOnly: true,
      cell: ({ attributes: { subscription_list_id: list, dynamic_list_id: segment } }) =>
        names.get(segment ?? list ?? '') ?? words.audiences.addresses,
    },
    { name: titles.state, cell: ({ attributes }) => <SendState state={attributes.state} /> },
    ...(['people', 'delivered', 'viewed', 'clicked'] as const).map(count),
  ];
}

function WhyCard({ mailingId }: { mailingId: string }) {
  const [picking, setPicking] = useState(false);
  const [person, setPerson] = useState<ChosenPerson | null>(null);
  return (
    <Card
      title={words.whyTitle}
      lead={words.whyLead}
      actions={<Button onClick={() => setPicking(true)}>{words.personTitle}</Button>}
    >
      {person !== null && <Explanation mailingId={mailingId} person={person} />}
      {picking && (
        <PersonPicker
          onClose={() => setPicking(false)}
          onChoose={(chosen) => {
            setPicking(false);
            setPerson(chosen);
          }}
        />
      )}
    </Card>
  );
}
