import { FileDown } from 'lucide-react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { useMay, useSession } from '../../session/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/forms/exports.ts';
import { ExportLine } from './line.tsx';
import { PersonCard } from './person-card.tsx';

type Reading = Reply<'listFormExports'> | undefined;

const SOON_MS = 1_500;

const isUnderWay = (reply: Reading) =>
  reply?.data.some(({ state }) => state === 'waiting' || state === 'running') === true;

/** All exports of the customer, with how far each is. */
export function ExportsPage() {
  const mayTakeOut = useMay('admin');
  const customerId = useSession()?.customer?.id ?? 0;
  const read = useRead(
    'listFormExports',
    { query: { items: '100' } },
    { pollMs: (reply) => (isUnderWay(reply) ? SOON_MS : false) },
  );
  const forms = useRead('listForms', {
    query: { customer_id: String(customerId), items: '100', order_by: 'updated_at' },
  });
  const titles = new Map(forms.data?.results.map(({ id, title }) => [id, title]));
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded read={read}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              icon={FileDown}
              title={words.noneTitle}
              action={<ButtonLink to="/forms/all">{words.toForms}</ButtonLink>}
            >
              {words.noneText}
            </Empty>
          ) : (
            <ul aria-label={words.table} className="flex flex-col gap-3">
              {data.map((job) => (
                <ExportLine key={job.id} job={job} title={titles.get(job.form_id) ?? null} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {mayTakeOut && <PersonCard />}
    </Page>
  );
}
