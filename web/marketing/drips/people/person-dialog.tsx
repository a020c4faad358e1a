import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../../api/client.ts';
import { useRead, useWrite } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Loaded, Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/drips/people.ts';
import { words as shared } from '../../../words/shared.ts';
import { useEditing } from '../editing.ts';
import { outcomeInWords } from '../model/in-words.ts';
import { Explanation } from './explanation.tsx';
import { useStepNames } from './step-names.ts';

type Enrolment = Reply<'readDripEnrollment'>['data'];

/** Somebody's way through a campaign, where they stand, and a way out. */
export function PersonDialog({ enrolment, onClose }: { enrolment: string; onClose(): void }) {
  const { drip } = useEditing();
  const read = useRead('readDripEnrollment', { params: { id: drip.id, enrollment_id: enrolment } });
  const [isLeaving, setIsLeaving] = useState(false);
  const title = read.data?.data.attributes.email ?? words.noAddress;
  return (
    <>
      <Dialog open={!isLeaving} onClose={onClose} side title={words.open(title)}>
        <Loaded read={read}>
          {({ data }) => (
            <>
              <Explanation subscriber={data.attributes.subscriber_id} />
              <Path path={data.attributes.path} />
              {data.attributes.state === 'active' && (
                <Button look="danger" icon={UserMinus} onClick={() => setIsLeaving(true)}>
                  {words.takeOut}
                </Button>
              )}
            </>
          )}
        </Loaded>
      </Dialog>
      {isLeaving && (
        <TakeOutDialog enrolment={enrolment} name={title} onKeep={() => setIsLeaving(false)} onGone={onClose} />
      )}
    </>
  );
}

function Path({ path }: { path: Enrolment['attributes']['path'] }) {
  const { nameOf } = useStepNames();
  return (
    <section aria-label={words.path} className="flex flex-col gap-2">
      <h3 className="font-semibold">{words.path}</h3>
      {path.length === 0 && <p className="text-sm text-soft">{words.nothingYet}</p>}
      <ol className="flex flex-col gap-3 border-l-2 pl-4">
        {path.map(({ step, type, visit, at, outcome, mail }) => (
          <li key={`${step}/${visit}`} className="text-sm">
            <p className="font-medium">{nameOf(step)}</p>
            <p className="text-soft">
              <When at={at} exact />
            </p>
            <p>{outcomeInWords(type, outcome)}</p>
            {mail !== null && (
              <p>
                {[
                  words.mail(mail.state),
                  ...(mail.opened_at === null ? [] : [words.opened]),
                  ...(mail.clicked_at === null ? [] : [words.clicked]),
                ].join(', ')}
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function TakeOutDialog({
  enrolment,
  name,
  onKeep,
  onGone,
}: {
  enrolment: string;
  name: string;
  onKeep(): void;
  onGone(): void;
}) {
  const { drip } = useEditing();
  const takeOut = useWrite('deleteDripEnrollment', {
    stale: ['listDripEnrollments', 'readDripStatistics'],
    onDone: () => {
      tell(words.takenOut);
      onGone();
    },
  });
  return (
    <Dialog open onClose={onKeep} title={words.takeOutTitle} lead={words.takeOutLead}>
      <p className="font-medium">{name}</p>
      {takeOut.error !== null && <Problem error={takeOut.error} />}
      <Actions>
        <Button onClick={onKeep}>{shared.cancel}</Button>
        <Button
          look="danger"
          busy={takeOut.isPending}
          onClick={() => takeOut.mutate({ params: { id: drip.id, enrollment_id: enrolment } })}
        >
          {words.takeOutNow}
        </Button>
      </Actions>
    </Dialog>
  );
}
