import { csrfToken } from './csrf.js';
import { ApiProblem, getProblem, unreachable } from './problem.js';

interface UploadOptions {
  /** Called with the bytes sent so far, and the total. */
  onSent: (sent: number, total: number) => void;
  signal: AbortSignal;
}

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The service may close the connection in the middle of a body that is too large: browsers then report no details. */
const cutOff = () =>
  new ApiProblem('The upload was interrupted. The network failed, or the file exceeds the size limit.', 0, null);

/**
 * Sends a form with a file to the API as the signed-in user, and reports the upload progress, which `fetch` cannot.
 * @param path below the API's root
 * @throws ApiProblem, and the signal's reason
 */
export async function upload<T>(path: string, form: FormData, { onSent, signal }: UploadOptions): Promise<T> {
  const token = await csrfToken();
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const request = new XMLHttpRequest();
    let sent = 0;
    request.open('POST', `/api/v4${path}`);
    if (token !== null) request.setRequestHeader('X-CSRF-Token', token);
    request.setRequestHeader('Accept', 'application/json');
    request.upload.addEventListener('progress', (event) => {
      sent = event.loaded;
      onSent(event.loaded, event.total);
    });
    request.addEventListener('load', () => {
      const body = jsonIn(request.responseText);
      const { status, statusText } = request;
      const headers = { 'x-request-id': request.getResponseHeader('x-request-id') ?? '' };
      if (status >= 200 && status < 300) resolve(body as T);
      else reject(getProblem(new Response(null, { status, statusText, headers }), body));
    });
    request.addEventListener('error', () => reject(sent > 0 ? cutOff() : unreachable()));
    request.addEventListener('abort', () => reject(signal.reason as Error));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
