// What a test knows of a body it says in its assertions.
// oxlint-disable-next-line typescript/no-explicit-any
export interface Answer<B = any> {
  status: number;
  /** What clients of the public API match; of a refusal without its help. */
  body: B;
  /** What helps in a refusal, beyond the public body. */
  help: { hint?: string; request_id?: string; documentation_url?: string };
  text: string;
  headers: Headers;
}

/** Takes the help out of a refusal's body. */
export function withoutHelp(status: number, body: unknown): Pick<Answer, 'body' | 'help'> {
  if (status < 400 || typeof body !== 'object' || body === null || !('hint' in body)) return { body, help: {} };
  const { hint, request_id, documentation_url, ...rest } = body as Answer['help'];
  return { body: rest, help: { hint, request_id, documentation_url } as Answer['help'] };
}

/** Sends requests to `/api/v4` as one caller. */
export class Client {
  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
  ) {}

  /** The same caller with more headers. */
  with(headers: Record<string, string>): Client {
    return new Client(this.url, { ...this.headers, ...headers });
  }

  get(path: string): Promise<Answer> {
    return this.request('GET', path);
  }

  head(path: string): Promise<Answer> {
    return this.request('HEAD', path);
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.request('POST', path, body);
  }

  put(path: string, body?: unknown): Promise<Answer> {
    return this.request('PUT', path, body);
  }

  patch(path: string, body?: unknown): Promise<Answer> {
    return this.request('PATCH', path, body);
  }

  delete(path: string, body?: unknown): Promise<Answer> {
    return this.request('DELETE', path, body);
  }

  /** A GraphQL request. */
  async graphql(query: string, variables?: Record<string, unknown>): Promise<Answer> {
    return this.raw('POST', '/api/graphql', JSON.stringify({ query, variables }), 'application/json');
  }

  /** JSON, or a form where one of the values is a file. */
  request(method: string, path: string, body?: unknown): Promise<Answer> {
    const values = Object.entries((body ?? {}) as Record<string, unknown>);
    if (values.some(([, value]) => value instanceof Blob)) {
      const form = new FormData();
      for (const [name, value] of values) form.append(name, value instanceof Blob ? value : String(value));
      return this.raw(method, `/api/v4${path}`, form);
    }
    return body === undefined
      ? this.raw(method, `/api/v4${path}`)
      : this.raw(method, `/api/v4${path}`, JSON.stringify(body), 'application/json');
  }

  /** Any path, any body, any content type. */
  async raw(method: string, path: string, body?: string | Buffer | FormData, contentType?: string): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...this.headers, ...(contentType ? { 'Content-Type': contentType } : {}) },
      ...(body === undefined ? {} : { body: body as never }),
      redirect: 'manual',
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') && text !== '';
    const { status, headers } = response;
    return { status, headers, text, ...withoutHelp(status, json ? JSON.parse(text) : null) };
  }
}
