import { useWrite } from '../../api/query.ts';
import { tellProblem } from '../../ui/toast.tsx';
import { words } from '../../words/drips.ts';
import { useEditing } from './editing.ts';
import { changesIn } from './model/draft.ts';
import { problemsOf } from './model/problems.ts';
import { titleOf } from './titles.ts';

/** Saves the draft; other steps become a version, for that share of newcomers where the drip is under way. */
export function useSave(onSaved: () => void) {
  const { drip, draft, history, select, takeOver, showRefusal } = useEditing();
  const write = useWrite('updateDripCampaign', {
    stale: ['readDripCampaign', 'listDripCampaigns', 'listDripCampaignVersions', 'readDripStatistics'],
  });
  const save = async (share?: number) => {
    const changes = { ...changesIn(draft, history.saved), ...(share === undefined ? {} : { publish_share: share }) };
    const { data } = await write.mutateAsync({ params: { id: drip.id }, body: { drip_campaign: changes } });
    takeOver(data, draft);
    onSaved();
  };
  return {
    isSaving: write.isPending,
    error: write.error,
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
      save(share).then(
        () => true,
        (error: unknown) => {
          if (!showRefusal(error)) tellProblem(error);
          return false;
        },
      ),
  };
}
