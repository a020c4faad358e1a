import { call } from '../../api/client.ts';
import { problemOf } from '../../api/problem.ts';
import { useWrite } from '../../api/query.ts';
import { isOvertaken } from '../../api/saving.ts';
import { tellProblem } from '../../ui/toast.tsx';
import { words } from '../../words/drips.ts';
import { useEditing } from './editing.ts';
import { changesIn, draftOf, isSame } from './model/draft.ts';
import { problemsOf } from './model/problems.ts';
import { titleOf } from './titles.ts';

/** Saves the draft; other steps become a version, for that share of newcomers where the drip is under way. */
export function useSave(onSaved: () => void) {
  const { drip, draft, history, select, takeOver, setTheirs, showRefusal } = useEditing();
  const write = useWrite('updateDripCampaign', {
    stale: ['readDripCampaign', 'listDripCampaigns', 'listDripCampaignVersions', 'readDripStatistics'],
  });
  const params = { id: drip.id };
  /** Resolves to whether it is saved: what others have saved meanwhile is not written over unasked. */
  const save = async (share?: number, if_updated_at = history.updatedAt): Promise<boolean> => {
    const changes = { ...changesIn(draft, history.saved), ...(share === undefined ? {} : { publish_share: share }) };
    try {
      const { data } = await write.mutateAsync({ params, body: { drip_campaign: changes, if_updated_at } });
      takeOver(data, draft);
    } catch (error) {
      if (!isOvertaken(problemOf(error))) throw error;
      const { data: now } = await call('readDripCampaign', { params });
      // Its state was changed, and nothing that is written here.
      if (isSame(draftOf(now), history.saved)) return save(share, now.attributes.updated_at);
      if (!isSame(draftOf(now), draft)) {
        setTheirs(now);
        return false;
      }
      takeOver(now); // saved by an earlier press, whose answer got lost
    }
    onSaved();
    return true;
  };
  return {
    isSaving: write.isPending,
    error: isOvertaken(write.error) ? null : write.error,
    /**
     * Opens the first part that is not finished and says what it lacks; answers whether there is one. What the server refused
     * before is not among them: only the server knows whether it would again.
     */
    showUnfinished(wish: 'save' | 'start') {
      const problems = problemsOf(draft);
      const [first] = problems;
      if (first === undefined) return false;
      const [part, what] = first;
      select(part);
      tellProblem(words.unfinished(wish, titleOf(part, draft.steps), what, problems.size - 1));
      return true;
    },
    /** Resolves to whether it is saved; where the server refuses, the place says why. */
    save: (share?: number) =>
      save(share).catch((error: unknown) => {
        if (!showRefusal(error)) tellProblem(error);
        return false;
      }),
  };
}
