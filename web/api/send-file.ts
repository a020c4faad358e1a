/** A request that tells how much of its body has left; `fetch` does not. The share goes from 0 to 1. */
export function sendFile(
  url: string,
  { method, headers, body }: { method: string; headers: Headers; body: Blob | FormData },
  onSent: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = 'blob';
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total));
    request.addEventListener('error', () => reject(new TypeError('the connection was lost')));
    request.addEventListener('load', () => resolve(replyOf(request)));
    request.send(body);
  });
}

function replyOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Response(request.response as Blob, { status: request.status, headers });
}
