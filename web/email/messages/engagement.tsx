import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Card, Facts } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/email/messages.ts';
import { words as shared } from '../../words/shared.ts';

type Receipt = Reply<'readReceipt'>['data']['message'];

/** What the one reader of a message did with it. */
export function Engagement({ id }: { id: string }) {
  const read = useRead('readReceipt', { query: { sourceTrackingId: id } });
  return (
    <Card title={words.engagement}>
      <Loaded read={read}>
        {({ data: { message } }) => (
          <div className="flex flex-col gap-3">
            <Facts
              facts={[
                [words.opens, (message.total_opens ?? 0).toLocaleString('en')],
                [words.machineOpens, (message.machine_opens ?? 0).toLocaleString('en')],
                [words.clicks, (message.total_click_count ?? 0).toLocaleString('en')],
                [words.unsubscribed, message.unsubscribed === true ? shared.yes : shared.no],
              ]}
            />
            {(message.clicks_per_link ?? []).length > 0 && <Links links={message.clicks_per_link ?? []} />}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function Links({ links }: { links: NonNullable<Receipt['clicks_per_link']> }) {
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {links.map(({ target_url: url, click_count: count }) => (
        <li key={url} className="flex flex-wrap justify-between gap-2 border-t pt-1">
          <span className="break-all">{url}</span>
          <span className="text-soft">{words.clicksOn(count)}</span>
        </li>
      ))}
    </ul>
  );
}
