/**
 * A request of a page to the API. Headers are not stored, because they contain credentials, and neither are secret
 * values in JSON.
 */
export interface Sent {
  /** The path of the page. */
  page: string;
  method: string;
  /** From this service's root on. */
  url: string;
  body: string | null;
  status: number;
  /** Milliseconds until the answer began. */
  ms: number;
  /** The response to a read; responses to changes are not stored, because they may contain new tokens. */
  answer: Response | null;
}

/** The last requests, the newest first. */
export const sent: Sent[] = [];

const MOST = 30;

const SECRET = /password|token|secret|credential|import_url|^value$/i;

/** A reviver for JSON parsing: hides values that are, or may be, secrets, by their names. */
export const withoutSecrets = (name: string, value: unknown): unknown =>
  SECRET.test(name) && typeof value === 'string' ? '[hidden]' : value;

/** Sends a request as `fetch` does, and records it for the display of the calls behind a page. */
export async function remembered(request: Request): Promise<Response> {
  const began = performance.now();
  const { method, url } = request;
  // Pages send JSON alone this way: files go by `upload`.
  const text = await request.text();
  // A body that was read is passed again: the browser's developer tools show no body for cloned requests.
  const response = await fetch(text ? new Request(request, { method, body: text }) : request);
  sent.unshift({
    page: location.pathname,
    method,
    url: url.slice(location.origin.length),
    body: text ? JSON.stringify(JSON.parse(text, withoutSecrets)) : null,
    status: response.status,
    ms: Math.round(performance.now() - began),
    answer: method === 'GET' || text.startsWith('{"query":"query') ? response.clone() : null,
  });
  sent.length = Math.min(sent.length, MOST);
  return response;
}
