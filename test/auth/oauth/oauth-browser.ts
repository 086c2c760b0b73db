import { createHash, randomBytes } from 'node:crypto';
import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { SignedIn } from '../../core/signed-in.js';
import { signIn } from '../../core/signed-in.js';

/** Where the service believes to be found. */
export const ISSUER = 'http://capstan.test';
export const CALLBACK = 'https://client.example/callback';

export interface Page {
  status: number;
  location: string;
  headers: Headers;
  text: string;
}

/** A browser with cookies, which stops at redirects. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  constructor(
    private readonly app: TestApp,
    readonly signedIn: SignedIn | null = null,
  ) {
    if (signedIn) this.#keep(signedIn.cookie);
  }

  #keep(line: string) {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    if (/expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(pair.slice(0, at));
    else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }

  /** @param target a path, or a URL of the service as it names itself */
  async go(target: string, init: RequestInit = {}): Promise<Page> {
    const url = target.startsWith('/') ? this.app.url + target : target.replace(ISSUER, this.app.url);
    const headers = new Headers({ Accept: 'text/html', ...(init.headers as Record<string, string>) });
    headers.set('Cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return {
      status: response.status,
      location: response.headers.get('location') ?? '',
      headers: response.headers,
      text: await response.text(),
    };
  }

  /** Decides on the consent page, as the page's own script would. */
  async decide(path: string, decision: string, csrf = this.signedIn?.csrf ?? ''): Promise<Page> {
    return this.go(path, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', 'X-CSRF-Token': csrf },
      body: JSON.stringify({ decision }),
    });
  }

  /** Goes from the application's authorization URL to the redirect that leaves the service, allowing the request. */
  async authorize(url: string, decision = 'allow'): Promise<URL> {
    let page = await this.go(url);
    if (page.location.includes('/oauth/consent/')) {
      const decided = await this.decide(page.location, decision);
      page = await this.go((JSON.parse(decided.text) as { redirect_to: string }).redirect_to);
    }
    if (!page.location) throw new Error(`No redirect: ${page.status} ${page.text}`);
    return new URL(page.location);
  }
}

export interface Application {
  id: number;
  application_id: string;
  secret: string;
}

export interface Pkce {
  verifier: string;
  challenge: string;
}

export function pkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export interface TokenAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { access_token: string; refresh_token: string; scope: string };
}

/** Steps that the tests of the provider repeat. */
export class OauthSandbox {
  #admin: Promise<BuiltUser> | undefined;

  constructor(private readonly app: TestApp) {}

  async application(attributes: Record<string, unknown> = {}): Promise<Application> {
    this.#admin ??= this.app.build.admin();
    const answer = await this.app.as(await this.#admin).post('/applications', {
      name: 'Client',
      redirect_uri: CALLBACK,
      scopes: 'api read_api read_user',
      ...attributes,
    });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body as Application;
  }

  /** A user with a browser in which they signed in. */
  async person(): Promise<{ user: BuiltUser; browser: Browser }> {
    const user = await this.app.build.user();
    return { user, browser: new Browser(this.app, await signIn(this.app, user)) };
  }

  /** The path of an authorization request; null leaves a parameter out. */
  authorizePath(application: Application, params: Record<string, string | null> = {}): string {
    const all: Record<string, string | null> = {
      client_id: application.application_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'api',
      state: 'some-state',
      ...params,
    };
    const query = new URLSearchParams(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null));
    return `/oauth/authorize?${query.toString()}`;
  }

  /** Posts a form to an endpoint of the provider, as an application does. */
  async post(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<TokenAnswer> {
    const answer = await this.app
      .withHeaders(headers)
      .raw('POST', path, new URLSearchParams(form).toString(), 'application/x-www-form-urlencoded');
    return { status: answer.status, headers: answer.headers, body: answer.body as TokenAnswer['body'] };
  }

  /** Parameters by which an application proves to be itself. */
  proof(application: Application): Record<string, string> {
    return { client_id: application.application_id, client_secret: application.secret };
  }

  async code(application: Application, browser: Browser, params: Record<string, string | null> = {}): Promise<string> {
    const back = await browser.authorize(this.authorizePath(application, params));
    const code = back.searchParams.get('code');
    if (!code) throw new Error(`No code: ${back.href}`);
    return code;
  }

  redeem(application: Application, code: string, more: Record<string, string> = {}): Promise<TokenAnswer> {
    return this.post('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      ...this.proof(application),
      ...more,
    });
  }

  refresh(application: Application, refresh_token: string, more: Record<string, string> = {}): Promise<TokenAnswer> {
    return this.post('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token,
      ...this.proof(application),
      ...more,
    });
  }

  /** Tokens of a confidential application for a person. */
  async tokens(application: Application, browser: Browser, scope = 'api'): Promise<TokenAnswer['body']> {
    const { status, body } = await this.redeem(application, await this.code(application, browser, { scope }));
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  }
}
