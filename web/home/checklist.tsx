import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import type { Reply } from '../api/client.ts';
import { useWrite } from '../api/query.ts';
import { useMay, useSession, useUser } from '../session/session.ts';
import { mayGo } from '../shell/navigation.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Card } from '../ui/page.tsx';
import { Progress } from '../ui/progress.tsx';
import { tell, tellProblem } from '../ui/toast.tsx';
import { words } from '../words/home.ts';

type Steps = Omit<Reply<'readHome'>['checklist'], 'dismissed'>;

/** In the order in which they are best done, with where each is done. */
const PLACES: [step: keyof Steps, to: string][] = [
  ['factor', '/settings/account'],
  ['agreement', '/settings/agreement'],
  ['key', '/settings/keys'],
  ['domain', '/email/domains'],
  ['first_message', '/email/messages/new'],
  ['first_form', '/forms/all'],
  ['first_submission', '/forms/all'],
  ['first_subscriber', '/marketing/subscribers'],
  ['first_drip', '/marketing/drips'],
];

/** The steps of the first day. */
export function Checklist({ checklist }: { checklist: Steps }) {
  const mayHide = useMay('admin');
  const hide = useWrite('dismissChecklist', { stale: ['readHome'], onDone: () => tell(words.dismissed) });
  // In the sandbox nobody needs a domain.
  const sandbox = useSession()?.delivery === 'sandbox';
  const places = PLACES.filter(([step]) => step !== 'domain' || !sandbox);
  const done = places.filter(([step]) => checklist[step]).length;
  return (
    <Card
      title={words.checklistTitle}
      lead={words.checklistLead}
      actions={
        mayHide && (
          <Button look="quiet" busy={hide.isPending} onClick={() => hide.mutate({}, { onError: tellProblem })}>
            {words.dismiss}
          </Button>
        )
      }
    >
      <Progress label={words.checklistProgress} done={done} of={places.length} />
      <ol className="mt-4 grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {places.map(([step, to]) => (
          <Step key={step} step={step} to={to} done={checklist[step]} />
        ))}
      </ol>
    </Card>
  );
}

function Step({ step, to, done }: { step: keyof Steps; to: string; done: boolean }) {
  const { role } = useUser();
  const { title, what } = words.steps[step];
  const Icon = done ? CircleCheck : CircleDashed;
  const look = classes('flex h-full items-start gap-3 rounded-md border p-3', done && 'bg-good-soft');
  const face = (
    <>
      <Icon aria-hidden className={classes('mt-0.5 size-5 shrink-0', done ? 'text-good' : 'text-soft')} />
      <span className="min-w-0">
        <span className="block text-sm font-medium">{title}</span>
        <span className={classes('block text-sm', done ? 'text-good' : 'text-soft')}>
          {done ? words.stepDone : what}
        </span>
        {!done && <span className="sr-only">{words.stepOpen}</span>}
      </span>
    </>
  );
  return (
    <li>
      {mayGo(role, to) ? (
        <Link to={to} className={classes(look, 'hover:bg-sunken')}>
          {face}
        </Link>
      ) : (
        <div className={look}>{face}</div>
      )}
    </li>
  );
}
