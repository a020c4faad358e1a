import { useState } from 'react';
import { useRead, useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { undoBy } from '../../ui/undo.ts';
import { words } from '../../words/forms/form.ts';
import { words as shared } from '../../words/shared.ts';
import { bringBack, STALE } from '../bring-back.ts';
import { FindingList } from './findings.tsx';
import type { Form } from './frame.tsx';
import { FormState } from './state.tsx';

/** Whether people can fill a form in, and the buttons that change it. Everything here can be taken back. */
export function Publishing({ form }: { form: Form }) {
  const mayEdit = useMay('editor');
  const { id } = form;
  const [isAsking, setIsAsking] = useState(false);
  const check = useRead('checkForm', { params: { id } });
  const params = { id };
  const change = useWrite('updateForm', {
    stale: STALE,
    onDone: (_reply, { body }) => {
      const active = body?.active === true;
      const undo = undoBy('updateForm', { params, body: { active: !active } }, STALE);
      tell(active ? words.publishedDone : words.unpublishedDone, undo);
    },
    onFail: tellProblem,
  });
  const archive = useWrite('archiveForm', {
    stale: STALE,
    onDone: () => tell(words.archivedDone, () => void bringBack(form)),
    onFail: tellProblem,
  });
  const unarchive = useWrite('unarchiveForm', {
    stale: STALE,
    onDone: () => tell(words.unarchivedDone, undoBy('archiveForm', { params }, STALE)),
    onFail: tellProblem,
  });
  const errors = (check.data?.data ?? []).filter(({ severity }) => severity === 'error');
  const setActive = (active: boolean) => change.mutate({ params, body: { active } });
  const lead = form.archived ? words.archivedLead : form.active ? words.publishedLead : words.unpublishedLead;
  const isBusy = change.isPending || archive.isPending || unarchive.isPending;
  return (
    <Card title={words.publishing} actions={<FormState form={form} />}>
      <p className="mb-4 text-sm text-soft">{lead}</p>
      {mayEdit && (
        <div className="flex flex-wrap gap-2">
          {form.archived ? (
            <Button busy={isBusy} onClick={() => unarchive.mutate({ params })}>
              {words.unarchive}
            </Button>
          ) : (
            <>
              {form.active ? (
                <Button busy={isBusy} onClick={() => setActive(false)}>
                  {words.unpublish}
                </Button>
              ) : (
                <Button
                  look="primary"
                  busy={isBusy || check.isPending}
                  onClick={() => (errors.length > 0 ? setIsAsking(true) : setActive(true))}
                >
                  {words.publish}
                </Button>
              )}
              <Button look="quiet" busy={isBusy} onClick={() => archive.mutate({ params })}>
                {words.archive}
              </Button>
            </>
          )}
        </div>
      )}
      <Dialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={words.publishTitle}
        lead={words.publishLead}
        wide
      >
        <FindingList findings={errors} />
        <Actions>
          <Button onClick={() => setIsAsking(false)}>{shared.cancel}</Button>
          <Button
            look="primary"
            onClick={() => {
              setIsAsking(false);
              setActive(true);
            }}
          >
            {words.publishAnyway}
          </Button>
        </Actions>
      </Dialog>
    </Card>
  );
}
