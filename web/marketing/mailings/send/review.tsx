import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CalendarClock, Send } from 'lucide-react';
import { useState } from 'react';
import { Attempts } from '../../../api/attempts.ts';
import { type Body, call, whoCalls } from '../../../api/client.ts';
import { forget } from '../../../api/query.ts';
import { createLastingKeys } from '../../../api/unanswered.ts';
import { Notice } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Actions } from '../../../ui/dialog.tsx';
import { Card, Facts } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/mailings.ts';
import type { ChosenPerson } from '../person-picker.tsx';
import { draftOf, type Mailing } from '../write/draft.ts';
import { PreviewPane } from '../write/preview-pane.tsx';
import { Problems } from '../write/problems.tsx';
import { usePreview } from '../write/use-preview.ts';
import { useAudience } from './use-audience.ts';
import { sendOf, type Wish, ZONE } from './wish.ts';

interface ReviewSendProps {
  mailing: Mailing;
  wish: Wish;
  onBack(): void;
}

/** Everything about a send at a glance, and the button that begins it. */
export function ReviewSend({ mailing, wish, onBack }: ReviewSendProps) {
  const { attributes } = mailing;
  const audience = useAudience(wish);
  const [person, setPerson] = useState<ChosenPerson | null>(null);
  const [draft] = useState(() => draftOf(mailing));
  const preview = usePreview(draft, person?.id ?? null);
  const { begin, busy, error } = useBeginning(mailing.id, draft.fromAddress, wish);
  const problems = preview.data?.data.problems ?? [];
  const isLater = wish.time === 'later';
  const pace = [
    wish.perSecond === '' ? words.asFast : words.paceOf(Number(wish.perSecond)),
    ...(wish.hasWindow ? [words.paceWindow(wish.from, wish.to)] : []),
  ].join(', ');
  return (
    <div className="flex flex-col gap-5">
      <Card title={words.reviewTitle}>
        <Facts
          facts={[
            [words.facts.subject, attributes.default_subject ?? attributes.subject],
            [words.facts.from, attributes.from],
            [words.facts.to, audience.name],
            [words.facts.count, audience.count === null ? words.counting : words.counted(audience.count)],
            [words.facts.when, isLater ? <Moment at={wish.at} /> : words.now],
            [words.facts.pace, pace],
          ]}
        />
        <p className="mt-3 text-sm text-soft">{words.leftOut}</p>
        {error !== null && <Problem error={error} />}
        <Actions>
          <Button onClick={onBack}>{words.change}</Button>
          <Button
            look="primary"
            icon={isLater ? CalendarClock : Send}
            busy={busy}
            disabled={problems.some(({ severity }) => severity === 'error')}
            onClick={() => void begin()}
          >
            {isLater ? words.scheduleFor(audience.count) : words.sendTo(audience.count)}
          </Button>
        </Actions>
      </Card>
      <Notice>{words.unsavedFirst}</Notice>
      <Problems problems={problems} />
      <PreviewPane read={preview} person={person} onPerson={setPerson} />
    </div>
  );
}

function Moment({ at }: { at: string }) {
  return (
    <>
      <When exact at={new Date(at).toISOString()} /> ({ZONE})
    </>
  );
}

/** Begins a send once, however often the button is pressed and the connection breaks, and goes to where it can be watched. */
function useBeginning(mailingId: string, sender: string, wish: Wish) {
  const isLater = wish.time === 'later';
  const op = isLater ? 'scheduleCampaignMailing' : 'sendCampaignMailing';
  const [attempts] = useState(() => new Attempts(createLastingKeys(op, whoCalls)));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const go = useNavigate();
  const client = useQueryClient();
  const send = async (asked: Body<'sendCampaignMailing'>, key: string) => {
    const options = { headers: { 'idempotency-key': key } };
    if (isLater) {
      await call('scheduleCampaignMailing', { body: { ...asked, send_at: new Date(wish.at).toISOString() } }, options);
    } else await call('sendCampaignMailing', { body: asked }, options);
    await forget(client, ['listCampaignMailingSends', 'listCampaignMailings']);
    const { data } = await call('listCampaignMailingSends', { query: { campaign_mailing_id: mailingId, items: '1' } });
    return data[0]?.id ?? '';
  };
  const begin = async () => {
    setBusy(true);
    setError(null);
    const asked = { campaign_mailing_id: mailingId, campaign_mailing_send: { sender_email: sender, ...sendOf(wish) } };
    try {
      const sendId = await attempts.make({ ...asked, at: isLater ? wish.at : null }, (key) => send(asked, key));
      tell(isLater ? words.scheduled : words.started);
      void go({ to: '/marketing/mailings/sends/$sendId', params: { sendId } });
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return { begin, busy, error };
}
