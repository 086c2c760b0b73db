/** The package has no types; these are the parts in use. */
declare module 'simple-oauth2' {
  export interface AccessToken {
    token: { access_token: string; refresh_token: string };
    refresh(): Promise<AccessToken>;
    revokeAll(): Promise<void>;
  }

  export class AuthorizationCode {
    constructor(options: { client: { id: string; secret: string }; auth: { tokenHost: string } });
    authorizeURL(params: { redirect_uri: string; scope: string; state: string }): string;
    getToken(params: { code: string; redirect_uri: string }): Promise<AccessToken>;
  }
}
