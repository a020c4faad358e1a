import { Funnel } from '../../../charts/funnel.tsx';
import { Card, Facts } from '../../../ui/page.tsx';
import { words } from '../../../words/mailings.ts';
import type { Send } from './send.ts';

const BESIDE = [
  'soft_bounced',
  'hard_bounced',
  'suppressed',
  'excluded',
  'uncertain',
  'cancelled',
  'unsubscribed',
  'global_unsubscribed',
] as const;

/** What became of a send: from sent to clicked, and whatever else happened. */
export function Results({ send: { attributes } }: { send: Send }) {
  const happened = BESIDE.filter((name) => attributes[name] > 0);
  return (
    <Card title={words.result}>
      <div className="flex flex-col gap-5">
        <Funnel
          steps={[
            { name: words.funnel.sent, value: attributes.sent },
            { name: words.funnel.delivered, value: attributes.delivered },
            { name: words.funnel.viewed, value: attributes.viewed },
            { name: words.funnel.clicked, value: attributes.clicked },
          ]}
        />
        {happened.length > 0 && (
          <Facts facts={happened.map((name) => [words.counts[name], attributes[name].toLocaleString('en')] as const)} />
        )}
      </div>
    </Card>
  );
}
