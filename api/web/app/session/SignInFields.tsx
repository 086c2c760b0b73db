import { Field } from '../forms/Form.js';

interface SignInFieldsProps {
  /** The id of the element with the error message. */
  describedBy: string | undefined;
  /** The user name, if it is already known: then the password field has the focus. */
  username?: string;
}

/** The name is there already. */
const toField = (field: HTMLInputElement | null) => field?.focus();

/** Who signs in, and the password. */
export const SignInFields = ({ describedBy, username }: SignInFieldsProps) => (
  <>
    <Field
      label="Username or email"
      name="login"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      defaultValue={username}
      describedBy={describedBy}
      required
    />
    <Field
      label="Password"
      name="password"
      type="password"
      autoComplete="current-password"
      describedBy={describedBy}
      ref={username === undefined ? undefined : toField}
      required
    />
  </>
);
