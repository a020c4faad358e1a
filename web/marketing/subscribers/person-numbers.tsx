import type { Reply } from '../../api/client.ts';
import { Funnel } from '../../charts/funnel.tsx';
import { Card } from '../../ui/page.tsx';
import { words } from '../../words/person.ts';

/** What became of the mailings to somebody. */
export function PersonNumbers({ person }: { person: Reply<'readSubscriber'>['data'] }) {
  const { statistics } = person.attributes;
  if (statistics === undefined || statistics.deliveries === 0) return null;
  return (
    <Card title={words.numbersTitle}>
      <Funnel
        steps={[
          { name: words.numbers.delivered, value: statistics.delivered },
          { name: words.numbers.opened, value: statistics.opened },
          { name: words.numbers.clicked, value: statistics.clicked },
        ]}
      />
    </Card>
  );
}
