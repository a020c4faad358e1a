import { useRead } from '../../api/query.ts';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/settings-retention.ts';
import { FormDefault } from './form-default.tsx';

/** How long things are kept. */
export function RetentionPage() {
  const read = useRead('readRetention', {});
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded read={read}>
        {(kept) => (
          <>
            <FormDefault days={kept.form_default_days} />
            <Card title={words.others} lead={words.othersLead}>
              <Facts
                facts={[
                  [words.content, words.inDays(kept.message_content_days)],
                  [words.sandbox, words.inDays(kept.sandbox_days)],
                  [words.exports, words.inDays(kept.export_days)],
                  [words.backups, words.inDays(kept.backup_days)],
                  [words.audit, words.auditKept],
                ]}
              />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  );
}
