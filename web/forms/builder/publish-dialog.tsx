import { useRead } from '../../api/query.ts';
import { useSession } from '../../session/session.ts';
import { Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/builder.ts';
import { words as shared } from '../../words/shared.ts';
import { useBuilder } from './builder-context.ts';
import { ProblemsList } from './problems-list.tsx';

/** Looks the stored form over, tells what it found, and publishes it. */
export function PublishDialog({ isBusy, onPublish, onClose }: { isBusy: boolean; onPublish(): void; onClose(): void }) {
  const { form } = useBuilder();
  const session = useSession();
  const check = useRead('checkForm', { params: { id: form.id } });
  return (
    <Dialog open onClose={onClose} title={words.publishTitle} wide>
      {session?.agreement_in_force === false && <Notice tone="warn">{words.noAgreement}</Notice>}
      {form.archived && <Notice tone="warn">{words.isArchived}</Notice>}
      <Loaded read={check}>
        {({ data }) => {
          const errors = data.filter(({ severity }) => severity === 'error').length;
          return (
            <>
              {data.length === 0 && <Notice tone="good">{words.publishGood}</Notice>}
              {errors > 0 && <Notice tone="bad">{words.publishErrors(errors)}</Notice>}
              {errors === 0 && data.length > 0 && <Notice tone="warn">{words.publishWarnings}</Notice>}
              <ProblemsList findings={data} onGo={onClose} />
              <Actions>
                <Button onClick={onClose}>{errors > 0 ? words.mend : shared.cancel}</Button>
                <Button look={errors > 0 ? 'danger' : 'primary'} busy={isBusy} onClick={onPublish}>
                  {errors > 0 ? words.publishAnyway : words.publishNow}
                </Button>
              </Actions>
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
