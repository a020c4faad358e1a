import { Card, Facts } from '../../../ui/page.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/mailings.ts';
import { isOver, type Send, settledOf } from './send.ts';

/** How far a send has come. */
export function ProgressCard({ send }: { send: Send }) {
  const { attributes } = send;
  return (
    <Card title={words.progress}>
      <div className="flex flex-col gap-4">
        <Progress label={words.done} done={settledOf(send)} of={attributes.people} />
        <Facts
          facts={[
            ...(attributes.started_at === null
              ? [[words.startsAt, <When key="at" at={attributes.send_at} exact />] as const]
              : [[words.startedAt, <When key="at" at={attributes.started_at} exact />] as const]),
            ...(attributes.finished_at === null
              ? []
              : [[words.finishedAt, <When key="end" at={attributes.finished_at} exact />] as const]),
            [words.counts.people, attributes.people.toLocaleString('en')],
          ]}
        />
        {!isOver(send) && <p className="text-sm text-soft">{words.live}</p>}
      </div>
    </Card>
  );
}
