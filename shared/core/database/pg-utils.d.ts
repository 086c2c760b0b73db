/** A part of pg that it exports without types. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** A value as the wire protocol takes it: text, bytes or null. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
