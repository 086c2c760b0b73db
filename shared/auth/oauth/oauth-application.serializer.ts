import { out, serializer } from '../../core/operations/serializer.js';
import type { OauthApplication } from './oauth-application.entity.js';

/** An application as administrators see it, without its secret (public API, "Applications"). */
export const oauthApplicationSerializer = serializer<OauthApplication>('OauthApplication', {
  id: out.integer((application) => application.id),
  application_id: out.text((application) => application.uid, {
    description: 'Client ID of the application for OAuth requests.',
  }),
  application_name: out.text((application) => application.name),
  callback_url: out.text((application) => application.redirect_uris.join('\n'), {
    description: 'Redirect URIs of the application, one per line.',
  }),
  confidential: out.boolean((application) => application.confidential),
});

export type ApplicationWithSecret = OauthApplication & { secret: string };

/** The answers to its creation and to a new secret: the only ones that hold it. */
export const applicationWithSecret = serializer<ApplicationWithSecret>('OauthApplicationWithSecret', {
  ...oauthApplicationSerializer.fields,
  secret: out.text((application) => application.secret, {
    description: 'Client secret of the application. Returned only once.',
    secret: true,
  }),
});

/** An application as its owner sees it. */
export const ownApplicationSerializer = serializer<OauthApplication>('OwnOauthApplication', {
  ...oauthApplicationSerializer.fields,
  scopes: out.texts((application) => application.scopes),
});
