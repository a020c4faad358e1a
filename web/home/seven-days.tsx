import type { Reply } from '../api/client.ts';
import { Bars } from '../charts/bars.tsx';
import { Card } from '../ui/page.tsx';
import { words } from '../words/home.ts';

type Days = Reply<'readHome'>['days'];

const DAY = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', timeZone: 'UTC' });

/** What happened on each of the last seven days. */
export function SevenDays({ days }: { days: Days }) {
  const labels = days.days.map((day) => DAY.format(new Date(day)));
  const underWay = days.messages.map((sent, at) => sent - (days.delivered[at] ?? 0) - (days.bounced[at] ?? 0));
  return (
    <Card title={words.daysTitle} lead={words.daysLead}>
      <div className="grid gap-8 md:grid-cols-2">
        <Bars
          title={words.mail}
          labels={labels}
          series={[
            { name: words.delivered, values: days.delivered },
            { name: words.underWay, values: underWay },
            { name: words.bounced, values: days.bounced },
          ]}
        />
        <Bars
          title={words.submissions}
          labels={labels}
          series={[{ name: words.submissions, values: days.submissions }]}
        />
        <Bars
          title={words.subscribers}
          labels={labels}
          series={[{ name: words.subscribers, values: days.subscribers }]}
        />
        <Bars title={words.dripMails} labels={labels} series={[{ name: words.dripMails, values: days.drip_mails }]} />
      </div>
    </Card>
  );
}
