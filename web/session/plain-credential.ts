/** What a browser answers for a passkey. */
interface Credential<Response> {
  id: string;
  rawId: string;
  response: Response;
  clientExtensionResults: object;
}

/** The part of a passkey's answer that the server reads. */
export function plainOf<Response extends object>({
  id,
  rawId,
  response,
  clientExtensionResults,
}: Credential<Response>) {
  return {
    id,
    rawId,
    type: 'public-key' as const,
    response: { ...response },
    clientExtensionResults: { ...clientExtensionResults },
  };
}
