import { Outlet, useBlocker, useParams } from '@tanstack/react-router';
import { useRead } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { OvertakenDialog } from '../../ui/overtaken-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { PageTabs } from '../../ui/tabs.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/drips.ts';
import { words as shared } from '../../words/shared.ts';
import { DripActions } from './actions/drip-actions.tsx';
import { EditingContext } from './editing.ts';
import type { Drip } from './model/draft.ts';
import { STATE_TONES, type State } from './states.ts';
import { useDraft } from './use-draft.ts';

/** One drip campaign: its head, its tabs, and the draft that all of them share. */
export function DripPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useRead('readDripCampaign', { params: { id } });
  return <Loaded read={read}>{({ data }) => <OpenDrip key={data.id} drip={data} />}</Loaded>;
}

function OpenDrip({ drip }: { drip: Drip }) {
  const editing = useDraft(drip);
  const { theirs } = editing;
  const { attributes, id } = drip;
  const state = attributes.state as State;
  const isEditor = useMay('editor');
  const root = `/marketing/drips/${id}`;
  useBlocker({
    shouldBlockFn: ({ next }) =>
      editing.isDirty && !`${next.pathname}/`.startsWith(`${root}/`) && !window.confirm(shared.unsaved),
    enableBeforeUnload: () => editing.isDirty,
  });
  const tabs = [
    { label: words.tabs.steps, to: root },
    ...(isEditor ? [{ label: words.tabs.people, to: `${root}/people` }] : []),
    { label: words.tabs.versions, to: `${root}/versions` },
    ...(isEditor ? [{ label: words.tabs.machine, to: `${root}/time-machine` }] : []),
  ];
  return (
    <EditingContext value={editing}>
      <Page
        wide
        title={attributes.name}
        back={{ label: words.title, to: '/marketing/drips' }}
        lead={
          <span className="flex flex-wrap items-center gap-2">
            <Badge tone={STATE_TONES[state]}>{words.states[state]}</Badge>
            {words.onVersion(
              attributes.version,
              attributes.live_version,
              attributes.trial_version,
              attributes.trial_share,
            )}
          </span>
        }
        actions={isEditor && <DripActions />}
      >
        <PageTabs label={words.tabs.label} tabs={tabs} />
        <Outlet />
        {theirs !== null && (
          <OvertakenDialog
            onTheirs={() => editing.takeTheirs(theirs)}
            onMine={() => {
              editing.keepMine(theirs);
              tell(words.saveOnceMore);
            }}
            onClose={() => editing.setTheirs(null)}
          />
        )}
      </Page>
    </EditingContext>
  );
}
