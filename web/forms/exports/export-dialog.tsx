import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/query.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Choice } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/forms/exports.ts';
import { type ExportFormat, FORMATS } from './formats.ts';

interface ExportDialogProps {
  form: { id: string; submission_count: number };
  open: boolean;
  onClose(): void;
}

/** Asks for a file of all submissions of a form, and leads to where it is made. */
export function ExportDialog({ form, open, onClose }: ExportDialogProps) {
  const navigate = useNavigate();
  const [format, setFormat] = useState<ExportFormat>('csv');
  const begin = useWrite('createFormExport', {
    stale: ['listFormExports'],
    onDone: () => {
      onClose();
      tell(words.begun);
      void navigate({ to: '/forms/exports' });
    },
  });
  return (
    <Dialog open={open} onClose={onClose} title={words.exportTitle} lead={words.exportLead(form.submission_count)}>
      <Choice
        legend={words.format}
        value={format}
        options={FORMATS.map((value) => ({ value, label: words.formats[value], hint: words.formatHints[value] }))}
        onChange={setFormat}
      />
      {begin.error !== null && <Problem error={begin.error} />}
      <Actions>
        <ButtonLink to="/forms/exports" look="quiet">
          {words.seeAll}
        </ButtonLink>
        <Button
          look="primary"
          busy={begin.isPending}
          onClick={() => begin.mutate({ params: { id: form.id }, body: { format } })}
        >
          {words.begin}
        </Button>
      </Actions>
    </Dialog>
  );
}
