import type { Reply } from '../../../api/client.ts';
import { useRead } from '../../../api/query.ts';
import { Loaded } from '../../../ui/problem.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/drips/people.ts';
import { words as drips } from '../../../words/drips.ts';
import { useEditing } from '../editing.ts';
import { useStepNames } from './step-names.ts';

type Told = Reply<'explainDripCampaign'>['data'];

/** Where somebody stands with a campaign, in words, and which of its mails they did not get. */
export function Explanation({ subscriber }: { subscriber: string }) {
  const { drip } = useEditing();
  const { nameOf } = useStepNames();
  const read = useRead('explainDripCampaign', { params: { id: drip.id }, query: { subscriber_id: subscriber } });
  return (
    <section aria-label={words.standing} className="flex flex-col gap-2">
      <h3 className="font-semibold">{words.standing}</h3>
      <Loaded read={read}>
        {({ data }) => (
          <>
            <Standing told={data} nameOf={nameOf} />
            {!data.in && <WouldEnter told={data} />}
            {data.left_out_mails.length > 0 && (
              <>
                <h4 className="text-sm font-semibold">{words.leftOutMails}</h4>
                <ul className="flex flex-col gap-2 text-sm">
                  {data.left_out_mails.map(({ step, at, explanation }) => (
                    <li key={`${step}/${at}`}>
                      {nameOf(step)}, <When at={at} exact />: {explanation}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Standing({ told, nameOf }: { told: Told; nameOf(step: string): string }) {
  const [latest] = told.enrollments;
  const active = told.enrollments.find(({ state }) => state === 'active');
  if (active !== undefined) {
    return (
      <p>
        {words.isAt(nameOf(active.step))} {active.next === null || active.next.at === null ? words.waits : words.goesOn}{' '}
        {active.next !== null && active.next.at !== null && <When at={active.next.at} exact />}
      </p>
    );
  }
  if (latest === undefined) return <p>{words.neverIn}</p>;
  if (latest.state === 'completed' || latest.reason === null) return <p>{words.reachedEnd}</p>;
  const reason = drips.reasons[latest.reason as keyof typeof drips.reasons] ?? latest.reason;
  return <p>{words.leftAt(nameOf(latest.step), reason)}</p>;
}

function WouldEnter({ told: { would_enter: would } }: { told: Told }) {
  if (would.now) return <p>{words.mayEnter}</p>;
  return (
    <>
      <p>{words.mayNotEnter}</p>
      <ul className="list-disc pl-5">
        {would.reasons.map((reason) => (
          <li key={reason}>{words.refusals[reason as keyof typeof words.refusals] ?? reason}</li>
        ))}
      </ul>
    </>
  );
}
