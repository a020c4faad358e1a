import { useRead } from '../../api/query.ts';
import { Notice } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/settings/clinic.ts';
import { AboutClinic } from './about-clinic.tsx';
import { CloseAccount } from './close-account.tsx';

/** What the customer is called, and how to stop. */
export function ClinicPage() {
  const read = useRead('readCustomer', {});
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded read={read}>
        {(customer) => (
          <>
            {customer.closed_at !== null && (
              <Notice tone="warn" title={words.isClosed}>
                <p className="mb-2">{words.isClosedLead}</p>
                <ButtonLink to="/settings/agreement">{words.toAgreement}</ButtonLink>
              </Notice>
            )}
            <AboutClinic customer={customer} />
            {customer.closed_at === null && <CloseAccount username={customer.username} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
