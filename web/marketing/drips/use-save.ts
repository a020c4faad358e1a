import { useWrite } from '../../api/query.ts';
import { tellProblem } from '../../ui/toast.tsx';
import { useEditing } from './editing.ts';
import { changesIn } from './model/draft.ts';

/** Saves the draft; other steps become a version, for that share of newcomers where the drip is under way. */
export function useSave(onSaved: () => void) {
  const { drip, draft, history, takeOver, showRefusal } = useEditing();
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
