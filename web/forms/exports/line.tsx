import { Link } from '@tanstack/react-router';
import { Download, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { download, type Reply } from '../../api/client.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/forms/exports.ts';
import { useTeam } from '../submissions/team.ts';

type Job = Reply<'listFormExports'>['data'][number];

const TONES: Record<Job['state'], Tone> = {
  waiting: 'info',
  running: 'info',
  done: 'good',
  failed: 'bad',
  cancelled: 'plain',
  gone: 'plain',
};

/** One export: what it is of, how far it is, and its file. */
export function ExportLine({ job, title }: { job: Job; title: string | null }) {
  const { nameOf } = useTeam();
  const form = useRead('readForm', { params: { id: job.form_id } }, { enabled: title === null });
  const [isSaving, setIsSaving] = useState(false);
  const isOpen = job.state === 'waiting' || job.state === 'running';
  const end = useWrite('endFormExport', {
    stale: ['listFormExports'],
    onDone: () => tell(isOpen ? words.cancelled : words.deleted),
  });
  const name = title ?? form.data?.data.title ?? (form.isError ? words.deletedForm : '');
  const what = `${name}, ${words.formats[job.format]}`;
  const save = async () => {
    setIsSaving(true);
    await download('readFormExportFile', { params: { jid: job.id } }, job.file_name ?? '').catch(tellProblem);
    setIsSaving(false);
  };
  const stop = () => end.mutate({ params: { jid: job.id } }, { onError: tellProblem });
  return (
    <li className="flex flex-col gap-3 rounded-lg border bg-surface p-4" aria-label={what}>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2">
            {form.isError ? (
              <span className="font-medium">{name}</span>
            ) : (
              <Link to="/forms/$id" params={{ id: job.form_id }} className="font-medium text-brand hover:underline">
                {name}
              </Link>
            )}
            <Badge tone={TONES[job.state]}>{words.states[job.state]}</Badge>
          </p>
          <p className="text-sm text-soft">
            {words.formats[job.format]} · <When at={job.created_at} /> ·{' '}
            {job.created_by.kind === 'user' ? (nameOf(job.created_by.id) ?? '') : words.apiKey}
            {job.kept_until !== null && (
              <>
                {' · '}
                {words.keptUntil} <When at={job.kept_until} exact />
              </>
            )}
          </p>
          {job.gone_because !== null && <p className="text-sm text-soft">{words.because[job.gone_because]}</p>}
          {job.state === 'failed' && <p className="text-sm text-bad">{words.failedWhy}</p>}
        </div>
        <div className="flex gap-2">
          {job.state === 'done' && (
            <Button
              look="primary"
              icon={Download}
              busy={isSaving}
              aria-label={words.downloadOf(what)}
              onClick={() => void save()}
            >
              {words.download}
            </Button>
          )}
          {isOpen && (
            <Button icon={X} busy={end.isPending} onClick={stop}>
              {words.cancel}
            </Button>
          )}
          {job.state === 'done' && (
            <Button look="quiet" icon={Trash2} busy={end.isPending} onClick={stop}>
              {words.delete}
            </Button>
          )}
        </div>
      </div>
      {isOpen && <Progress label={words.progress} done={job.rows_done} of={job.rows_total} />}
    </li>
  );
}
