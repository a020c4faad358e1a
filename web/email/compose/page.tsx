import { useNavigate, useSearch } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { isUncertain } from '../../api/attempts.ts';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { useKeeping, useKeptDraft } from '../../session/kept-drafts.ts';
import { useSession, useUser } from '../../session/session.ts';
import { Notice } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { Checkbox, Choice, Field, Input } from '../../ui/field.tsx';
import { isEqual } from '../../ui/is-equal.ts';
import { Card, Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { useLeaveQuestion } from '../../ui/use-leave-question.ts';
import { words } from '../../words/email/compose.ts';
import { placeProblem, placesOf, valuesOf } from '../templates/variable-values.ts';
import { AttachFiles } from './attach-files.tsx';
import { ContentPart } from './content-part.tsx';
import { type AttachedFile, areAddresses, blankDraft, type Draft, dataOf, isAddress, timeOf } from './draft.ts';
import { readComposeSearch } from './search.ts';
import { UnansweredMessages } from './unanswered-notice.tsx';

const SHOWN = ['headers.from', 'recipients', 'headers.subject', 'scheduled_at', 'template_variables'];
const WHENS = (['now', 'later'] as const).map((value) => ({ value, label: words.whens[value] }));

const DESK = 'message';

/** A message in the making. */
interface Kept {
  draft: Draft;
  texts: Record<string, string>;
  files: readonly AttachedFile[];
}

/** Sends one message, now or later. */
export function ComposePage() {
  const session = useSession();
  return (
    <Page title={words.title} lead={words.lead} back={{ label: words.back, to: '/email/messages' }}>
      {session?.delivery === 'sandbox' && <Notice>{words.sandbox}</Notice>}
      {session?.agreement_in_force === false && (
        <Notice tone="warn" title={words.noAgreement}>
          <p className="mb-2">{words.noAgreementLead}</p>
          <ButtonLink to="/settings/agreement">{words.toAgreement}</ButtonLink>
        </Notice>
      )}
      <UnansweredMessages />
      <Compose />
    </Page>
  );
}

function useSending() {
  const go = useNavigate();
  const open = (id: string) => go({ to: '/email/messages/$id', params: { id }, ignoreBlocker: true });
  const send = useWrite('sendMessage', {
    stale: ['listMessages', 'readSandbox'],
    lasting: true,
    onDone: ({ sourceTrackingId }, _, wasDone) => {
      tell(wasDone ? words.sentBefore : words.sent);
      return open(sourceTrackingId);
    },
  });
  const schedule = useWrite('scheduleMessage', {
    stale: ['listMessages'],
    lasting: true,
    onDone: ({ sourceTrackingId }, _, wasDone) => {
      tell(wasDone ? words.sentBefore : words.scheduled);
      return open(sourceTrackingId);
    },
  });
  return { send, schedule };
}

function Compose() {
  const { template } = readComposeSearch(useSearch({ strict: false }));
  const user = useUser();
  const kept = useKeptDraft(DESK) as Kept | undefined;
  const domains = useRead('listSendingDomains', {});
  const verified = (domains.data?.data ?? []).filter(({ state }) => state === 'verified').map(({ domain }) => domain);
  const [blank] = useState(() => blankDraft(isAddress(user.email) ? user.email : '', template));
  const form = useForm<Draft>({ defaultValues: kept?.draft ?? blank });
  const [texts, setTexts] = useState<Record<string, string>>(kept?.texts ?? {});
  const [files, setFiles] = useState<readonly AttachedFile[]>(kept?.files ?? []);
  const [reading, setReading] = useState(0);
  const draft = form.watch();
  const hasValues = Object.values(texts).some((text) => text !== '');
  const isBegun = !isEqual(draft, blank) || hasValues || files.length > 0 || reading > 0;
  useKeeping(DESK, isBegun ? ({ draft, texts, files } satisfies Kept) : null);
  useLeaveQuestion(isBegun);
  const { errors } = form.formState;
  const { templateId, when } = draft;
  const chosen = useRead('readTemplate', { params: { id: templateId } }, { enabled: templateId !== '', anew: true });
  // Without its places, what was written for them would not go along.
  const isUnread = draft.kind === 'template' && templateId !== '' && chosen.data === undefined;
  const { send, schedule } = useSending();
  const problem = (when === 'now' ? send : schedule).error;
  const whole = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The field may be far above the button.
    if (problem !== null) whole.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [problem]);
  const submit = form.handleSubmit((written, event) => {
    const places = written.kind === 'template' ? placesOf(chosen.data?.variables ?? []) : [];
    if (places.some((place) => placeProblem(place, texts[place.name]) !== undefined)) {
      (event?.target as HTMLFormElement | undefined)?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
      return;
    }
    const data = dataOf(written, valuesOf(places, texts), files);
    const scheduledAt = timeOf(written);
    if (scheduledAt === undefined) send.mutate({ body: { data } });
    else schedule.mutate({ body: { data: { ...data, scheduled_at: scheduledAt } } });
  });
  return (
    <form ref={whole} className="flex flex-col gap-5" noValidate onSubmit={(event) => void submit(event)}>
      <Card title={words.who}>
        <div className="flex flex-col gap-4">
          <Field
            label={words.from}
            hint={words.fromHint(verified)}
            problem={errors.from?.message ?? fieldProblem(problem, 'headers.from')}
          >
            <Input
              autoComplete="off"
              {...form.register('from', {
                required: words.required,
                validate: (from) => isAddress(from) || words.noAddress,
              })}
            />
          </Field>
          <Field
            label={words.to}
            hint={words.toHint}
            problem={errors.to?.message ?? fieldProblem(problem, 'recipients')}
          >
            <Input
              autoComplete="off"
              {...form.register('to', {
                required: words.required,
                validate: (to) => areAddresses(to) || words.noAddress,
              })}
            />
          </Field>
          <Field
            label={words.subject}
            problem={fieldProblem(problem, 'headers.subject')}
            {...(draft.kind === 'template' ? { hint: words.subjectOfTemplate } : {})}
          >
            <Input autoComplete="off" {...form.register('subject')} />
          </Field>
        </div>
      </Card>
      <Card title={words.what}>
        <div className="flex flex-col gap-4">
          <ContentPart form={form} texts={texts} onTexts={setTexts} problem={problem} />
          <AttachFiles files={files} onChange={setFiles} onReading={setReading} />
        </div>
      </Card>
      <Card title={words.how}>
        <div className="flex flex-col gap-4">
          <Choice
            legend={words.when}
            inline
            value={when}
            options={WHENS}
            onChange={(next) => form.setValue('when', next)}
          />
          {when === 'later' && (
            <Field
              label={words.at}
              hint={words.atHint}
              className="sm:max-w-80"
              problem={errors.at?.message ?? fieldProblem(problem, 'scheduled_at')}
            >
              <Input type="datetime-local" {...form.register('at', { required: words.required })} />
            </Field>
          )}
          <Checkbox label={words.secure} hint={words.secureHint} {...form.register('secure')} />
        </div>
      </Card>
      {problem !== null && !isAbout(problem, ...SHOWN) && <Problem error={problem} />}
      {problem !== null && isUncertain(problem) && (
        <Notice tone="warn" title={words.notKnown}>
          <p>{words.notKnownLead}</p>
        </Notice>
      )}
      <Actions>
        {reading > 0 && (
          <span role="status" className="self-center text-sm text-soft">
            {words.readingFiles}
          </span>
        )}
        <Button
          type="submit"
          look="primary"
          icon={Send}
          busy={send.isPending || schedule.isPending || reading > 0}
          disabled={isUnread}
        >
          {when === 'now' ? words.send : words.schedule}
        </Button>
      </Actions>
    </form>
  );
}
