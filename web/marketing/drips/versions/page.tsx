import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Reply } from '../../../api/client.ts';
import { useRead } from '../../../api/query.ts';
import { useMay } from '../../../session/session.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Loaded } from '../../../ui/problem.tsx';
import { allRows } from '../../../ui/rows.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/drips/versions.ts';
import { useEditing } from '../editing.ts';
import { Compare } from './compare.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { PublishDialog } from './publish-dialog.tsx';

export type Version = Reply<'listDripCampaignVersions'>['data'][number];

/** The versions of a campaign: compared, published to newcomers, and what people are moved to. */
export function VersionsPage() {
  const { drip } = useEditing();
  const { version: wanted } = useSearch({ strict: false }) as { version?: number };
  const read = useRead('listDripCampaignVersions', { params: { id: drip.id } });
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-prose text-soft">{words.lead}</p>
      <Loaded read={read}>
        {({ data }) => <Versions versions={data} chosen={wanted ?? drip.attributes.version} />}
      </Loaded>
    </div>
  );
}

function Versions({ versions, chosen }: { versions: readonly Version[]; chosen: number }) {
  const { drip } = useEditing();
  const navigate = useNavigate();
  const isEditor = useMay('editor');
  const [dialog, setDialog] = useState<{ how: 'publish' | 'move'; version: number } | null>(null);
  const isUnderWay = drip.attributes.state === 'running' || drip.attributes.state === 'paused';
  const look = (version: number) => void navigate({ to: `/marketing/drips/${drip.id}/versions`, search: { version } });
  const isOlderWaiting = (version: number) => versions.some((each) => each.version < version && each.waiting > 0);
  const columns: Column<Version>[] = [
    { name: words.version, cell: ({ version }) => words.number(version) },
    { name: words.created, cell: ({ created_at: at }) => <When at={at} />, wideOnly: true },
    { name: words.newcomers, cell: (version) => <Newcomers version={version} /> },
    { name: words.waiting, cell: ({ waiting }) => waiting.toLocaleString('en'), align: 'right' },
    {
      name: words.doing,
      align: 'right',
      cell: ({ version }) => (
        <span className="inline-flex flex-wrap justify-end gap-2">
          <Button aria-pressed={version === chosen} onClick={() => look(version)}>
            {words.look}
          </Button>
          {isEditor && isUnderWay && (
            <Button onClick={() => setDialog({ how: 'publish', version })}>{words.publish}</Button>
          )}
          {isEditor && isUnderWay && isOlderWaiting(version) && (
            <Button onClick={() => setDialog({ how: 'move', version })}>{words.move}</Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <>
      <Table
        label={words.title}
        columns={columns}
        rows={allRows(versions)}
        keyOf={({ version }) => String(version)}
        empty={null}
        height="18rem"
      />
      <Compare key={chosen} version={chosen} versions={versions} />
      {dialog?.how === 'publish' && <PublishDialog version={dialog.version} onClose={() => setDialog(null)} />}
      {dialog?.how === 'move' && (
        <MoveDialog version={dialog.version} versions={versions} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

function Newcomers({ version }: { version: Version }) {
  const { trial_share: ofAll, trial_version: trial } = useEditing().drip.attributes;
  if (version.trial_share !== null) return <Badge tone="warn">{words.trial(version.trial_share)}</Badge>;
  if (!version.live) return <span className="text-soft">{words.none}</span>;
  return <Badge tone="good">{trial === null || ofAll === null ? words.live : words.liveRest(ofAll)}</Badge>;
}
