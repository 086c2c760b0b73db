/*
 * Addresses in records that lead to no page of this service, with the reason; all others lead to one
 * (`addresses.test.ts`). By the field that has them, or by the form of the address.
 */

/** Addresses of this service that no page is at, by their form. */
export const WITHOUT_PAGE: readonly (readonly [form: RegExp, reason: string])[] = [
  [/\.git$/, 'git clones from it'],
  [/^\/api\/v4\//, 'the API is there'],
  [/^\/uploads\/-\/system\/|^\/-\/identicons\//, 'a picture is there'],
];

/** Fields of records that hold no address of this service. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'Badge.image_url': 'an address that a person gave',
  'Badge.link_url': 'an address that a person gave',
  'Badge.rendered_image_url': 'an address that a person gave',
  'Badge.rendered_link_url': 'an address that a person gave',
  'BadgePreview.image_url': 'an address that a person gave',
  'BadgePreview.link_url': 'an address that a person gave',
  'BadgePreview.rendered_link_url': 'an address that a person gave',
  'BadgePreview.rendered_image_url': 'an address that a person gave',
  'CommitStatus.target_url': 'an address that a program gave',
  'License.html_url': 'the text of a licence elsewhere',
  'License.source_url': 'the text of a licence elsewhere',
  'AwardEmoji.url': 'none: the signs are drawn by the reader',
  'BasicEnvironment.external_url': 'where something is deployed, elsewhere',
  'Environment.external_url': 'where something is deployed, elsewhere',
  'EnvironmentDetails.external_url': 'where something is deployed, elsewhere',
  'OauthApplication.callback_url': 'where an application is, elsewhere',
  'OauthApplicationWithSecret.callback_url': 'where an application is, elsewhere',
  'Project.import_url': 'where a repository is fetched from, elsewhere',
  'ProjectWithPermissions.import_url': 'where a repository is fetched from, elsewhere',
  'ProjectMirror.url': 'where a repository is fetched from, elsewhere',
  'ProjectExportLinks.api_url': 'the API sends the archive there',
  'NewChildEpic.relation_url': 'none: what the public API calls a link of epics has no page',
  'WikiAttachmentLink.url': 'a file of a wiki, which the API sends',
};
