import { useRead } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/settings/retention.ts';
import { FormDefault } from './form-default.tsx';
import { Holds } from './holds.tsx';
import { KeptTimes } from './kept-times.tsx';

/** How long things are kept, and what is kept whatever its age. */
export function RetentionPage() {
  const read = useRead('readRetention', {});
  const isOwner = useMay('owner');
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded read={read}>
        {(kept) => (
          <>
            <FormDefault days={kept.form_default_days} />
            <KeptTimes kept={kept} />
            {isOwner && <Holds />}
            <Card title={words.others} lead={words.othersLead}>
              <Facts
                facts={[
                  [words.exports, words.inDays(kept.export_days)],
                  [words.backups, words.inDays(kept.backup_days)],
                ]}
              />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  );
}
