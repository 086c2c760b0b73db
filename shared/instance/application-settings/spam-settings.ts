import { boolean, list, oneOf, text } from '../../core/operations/fields.js';
import { measureExpression } from '../../core/expressions/expression-size.js';
import { Expression } from '../../core/expressions/expressions.js';
import { setting } from '../../core/context/settings-store.js';

const MAX_TERMS = 1000;
const MAX_TERM_LENGTH = 200;
const MOST_EXPRESSIONS = 50;
/** Instructions of all expressions together: a text is matched against each of them before its request goes on. */
const MOST_STEPS = 700;
const LONGEST_URL = 2048;

/** Of a key that a service gives out, encrypted. */
const LONGEST_SECRET = 8192;

/** Declares a setting whose value is never shown: the settings hold only the encrypted text, empty if it is not set. */
const secretSetting = (docs: string) => ({
  ...setting(
    text()
      .refine((value) => value.length <= LONGEST_SECRET, 'is invalid')
      .meta({ type: 'string', maxLength: LONGEST_SECRET }),
    '',
    docs,
  ),
  secret: true as const,
});

const httpUrl = () =>
  text()
    .refine((value) => value === '' || isHttpUrl(value), 'is invalid')
    // No format: the empty text is none.
    .meta({ type: 'string', maxLength: LONGEST_URL });

function isHttpUrl(value: string): boolean {
  if (value.length > LONGEST_URL || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

const term = () =>
  text()
    .refine((value) => value.trim() !== '' && value.length <= MAX_TERM_LENGTH, 'is invalid')
    .meta({ type: 'string', maxLength: MAX_TERM_LENGTH });

const expressionSource = () =>
  text()
    .refine((value) => value !== '' && Expression.read(value) instanceof Expression, 'is invalid')
    .meta({ type: 'string', format: 'regex' });

const expressions = () => {
  const all = list(expressionSource(), { max: MOST_EXPRESSIONS });
  const isSmall = (sources: readonly string[]) =>
    sources.reduce((steps, source) => steps + measureExpression(source).steps, 0) <= MOST_STEPS;
  return all.refine(isSmall, 'is too complex').meta(all.meta() ?? {});
};

/** A key that pages show. */
const siteKey = () =>
  text()
    .refine((value) => /^[\w.-]{0,200}$/.test(value), 'is invalid')
    .meta({ type: 'string', maxLength: 200, pattern: '^[A-Za-z0-9_.-]*$' });

/**
 * Spam protection settings (graphql.md section 6.3), with the public API's names where they exist. All are off by
 * default, and no external service is called until an administrator enables one.
 */
export const spamSettings = {
  allow_possible_spam: setting(boolean(), false, 'If `true`, possible spam is accepted; it is logged in either case.'),
  spam_wordlist: setting(
    list(term(), { commas: true, max: MAX_TERMS }),
    [],
    'Words and phrases that make a text spam, whatever their case; an empty list is off.',
  ),
  spam_wordlist_expressions: setting(
    expressions(),
    [],
    'Regular expressions that make a text spam where one of its lines holds a match, in the syntax of RE2; a line is matched in parts of 4096 characters.',
  ),
  spam_wordlist_verdict: setting(
    oneOf(['conditional_allow', 'disallow', 'block']),
    'disallow',
    'Verdict on a text that contains one of these words; `conditional_allow` requires a CAPTCHA.',
  ),
  spam_check_endpoint_enabled: setting(
    boolean(),
    false,
    'If `true`, texts are checked by an external spam check service.',
  ),
  spam_check_endpoint_url: setting(
    httpUrl(),
    '',
    'URL to which texts are posted as JSON; the response is `{"verdict": …}`.',
  ),
  spam_check_api_key: secretSetting('API key sent to the spam check service as a bearer token.'),
  akismet_enabled: setting(boolean(), false, 'If `true`, texts are checked by Akismet or a compatible service.'),
  akismet_api_key: secretSetting('Key for it.'),
  akismet_url: setting(httpUrl(), 'https://rest.akismet.com', 'URL of the Akismet API.'),
  recaptcha_enabled: setting(boolean(), false, 'If `true`, possible spam can be submitted with a CAPTCHA.'),
  recaptcha_site_key: setting(siteKey(), '', 'Key of the CAPTCHA that clients show.'),
  recaptcha_private_key: secretSetting('Key with which answers to it are verified.'),
  captcha_provider: setting(
    oneOf(['verify_url', 'static']),
    'verify_url',
    'Method by which CAPTCHA responses are verified: a request to `captcha_verify_url`, or, for tests, equality with the private key.',
  ),
  captcha_verify_url: setting(
    httpUrl(),
    'https://www.google.com/recaptcha/api/siteverify',
    'URL by which CAPTCHA responses are verified: of reCAPTCHA, hCaptcha, Turnstile or a compatible service.',
  ),
};
