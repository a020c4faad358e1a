import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Play, Undo2, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Operation, Reply } from '../../api/client.ts';
import { forget, useRead, useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Notice } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { LoadedPage } from '../../ui/loaded-page.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Progress } from '../../ui/progress.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/imports.ts';
import { FormCard } from './form-card.tsx';
import { ImportCounts } from './import-counts.tsx';
import { type ImportAttributes, ImportState, isUnderWay } from './import-state.tsx';
import { RejectsCard } from './rejects-card.tsx';
import { UndoDialog } from './undo-dialog.tsx';

type Import = Reply<'readImport'>['data'];

const FULL = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const POLL_MS = 500;

/** What an import changes while it runs, long after it was asked for. */
const CHANGED: Operation[] = ['listCustomFieldTypes', 'listSubscriptionLists', 'searchSubscribers', 'listImports'];

const BACK = { label: words.back, to: '/marketing/imports' };

/** One import: its dry run, how far it is, what came of it, and the way back. */
export function ImportPage() {
  const { id = '' } = useParams({ strict: false });
  const read = useRead(
    'readImport',
    { params: { id } },
    { pollMs: ({ data }) => (isUnderWay(data.attributes) ? POLL_MS : false) },
  );
  const client = useQueryClient();
  const state = read.data?.data.attributes.state;
  useEffect(() => {
    if (state === 'done' || state === 'undone') void forget(client, CHANGED);
  }, [client, state]);
  return (
    <LoadedPage title={words.title} back={BACK} read={read}>
      {({ data }) => <Shown import={data} />}
    </LoadedPage>
  );
}

/** Whom an undo passed over. */
function Held({ ids }: { ids: string[] }) {
  return (
    <Notice title={words.heldTitle}>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <Link to={`/marketing/subscribers/${id}`} className="text-brand underline-offset-2 hover:underline">
              {id}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Shown({ import: { id, attributes } }: { import: Import }) {
  const mayChange = useMay('editor');
  const [isUndoing, setUndoing] = useState(false);
  const start = useWrite('startImport', {
    stale: ['readImport', 'listImports', 'listImportRejects'],
    onDone: () => tell(words.started),
  });
  const { state, dry_run: isDry, failure } = attributes;
  return (
    <Page
      title={words.importOf(FULL.format(new Date(attributes.created_at)))}
      lead={<ImportState attributes={attributes} />}
      back={BACK}
    >
      {isUnderWay(attributes) && <UnderWay attributes={attributes} />}
      {state === 'failed' && (
        <Notice tone="bad" title={words.failedTitle}>
          <p>{failure}</p>
        </Notice>
      )}
      <Card title={isDry ? words.findingsTitle : words.resultsTitle}>
        <div className="flex flex-col gap-4">
          <ImportCounts attributes={attributes} />
          {attributes.held_subscriber_ids.length > 0 && <Held ids={attributes.held_subscriber_ids} />}
          {start.error !== null && <Problem error={start.error} />}
          <div className="flex flex-wrap gap-2">
            {mayChange && isDry && state === 'done' && (
              <Button
                look="primary"
                icon={Play}
                busy={start.isPending}
                onClick={() => start.mutate({ params: { id } })}
              >
                {words.start}
              </Button>
            )}
            {mayChange && (isDry || state === 'failed') && !isUnderWay(attributes) && (
              <ButtonLink to="/marketing/imports/new">{words.other}</ButtonLink>
            )}
            {!isDry && state === 'done' && (
              <ButtonLink icon={Users} to="/marketing/subscribers">
                {words.seePeople}
              </ButtonLink>
            )}
            {mayChange && !isDry && (state === 'done' || state === 'failed') && (
              <Button look="danger" icon={Undo2} onClick={() => setUndoing(true)}>
                {words.undo}
              </Button>
            )}
          </div>
        </div>
      </Card>
      {attributes.skipped > 0 && !isUnderWay(attributes) && <RejectsCard id={id} skipped={attributes.skipped} />}
      <FormCard attributes={attributes} />
      {isUndoing && <UndoDialog id={id} onClose={() => setUndoing(false)} />}
    </Page>
  );
}

function UnderWay({ attributes }: { attributes: ImportAttributes }) {
  const { state, dry_run: isDry, bytes, bytes_done: bytesDone, created, removed, updated, restored, kept } = attributes;
  return (
    <Card>
      <div className="flex flex-col gap-2">
        {state === 'undoing' ? (
          <Progress label={words.undoing} done={removed + restored + kept} of={created + updated} />
        ) : (
          <Progress label={isDry ? words.reading : words.bringing} done={bytesDone} of={bytes} />
        )}
        <p className="text-sm text-soft">{words.leave}</p>
      </div>
    </Card>
  );
}
