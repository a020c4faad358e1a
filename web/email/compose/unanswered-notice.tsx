import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { forgetUnanswered, listUnanswered, type Unanswered } from '../../api/unanswered.ts';
import { useUser } from '../../session/session.ts';
import { Notice } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/compose.ts';

const SENDING = ['sendMessage', 'scheduleMessage'] as const;

/** Messages that were sent from this browser and whose answer got lost: what has become of each. */
export function UnansweredMessages() {
  const { id } = useUser();
  const [messages, setMessages] = useState(() => listUnanswered(SENDING, id));
  const hide = (key: string) => setMessages((shown) => shown.filter((each) => each.key !== key));
  return messages.map((message) => <OneMessage key={message.key} message={message} onHide={() => hide(message.key)} />);
}

function OneMessage({ message: { operation, key, at }, onHide }: { message: Unanswered; onHide(): void }) {
  const asked = { body: { operation: operation as (typeof SENDING)[number], key } };
  const read = useRead('askForUnansweredMessage', asked, { anew: true });
  if (read.error !== null) return <Problem error={read.error} onRetry={() => void read.refetch()} />;
  if (read.data === undefined) return null;
  const { state, id } = read.data;
  const known = words.unanswered[state];
  const dismiss = () => {
    // While it is not known, the key stays, so that the same message goes out once.
    if (state !== 'unknown') forgetUnanswered(key);
    onHide();
  };
  return (
    <Notice tone={state === 'accepted' ? 'good' : 'warn'} title={known.title}>
      <p>
        {words.unanswered.begun} <When at={new Date(at).toISOString()} />. {known.lead}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        {id !== null && (
          <ButtonLink to="/email/messages/$id" params={{ id }}>
            {words.unanswered.open}
          </ButtonLink>
        )}
        {state === 'unknown' && <Button onClick={() => void read.refetch()}>{words.unanswered.lookAgain}</Button>}
        <Button onClick={dismiss}>{words.unanswered.dismiss}</Button>
      </div>
    </Notice>
  );
}
