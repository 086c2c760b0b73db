/** What a setting may be: its default, what a person is told when it is wrong, and how its text is read. */
export interface SettingRule<T> {
  fallback?: string;
  expected: string;
  /** Its value is never repeated. */
  secret?: boolean;
  /** The value; undefined for a text that cannot be right. */
  read(text: string): T | undefined;
}

export declare const settingRules: {
  HOST: SettingRule<string>;
  PORT: SettingRule<number>;
  EXTERNAL_URL: SettingRule<string>;
  DATA_DIR: SettingRule<string>;
  DATABASE_URL: SettingRule<string>;
  WORKERS: SettingRule<number>;
  SECRET_KEY_BASE: SettingRule<string>;
  LOG_LEVEL: SettingRule<string>;
  DRAIN_SECONDS: SettingRule<number>;
  WORKER_METRICS_HOST: SettingRule<string>;
  WORKER_METRICS_PORT: SettingRule<number>;
  OBJECT_STORE: SettingRule<'local' | 's3'>;
  S3_ENDPOINT: SettingRule<string>;
  S3_REGION: SettingRule<string>;
  S3_BUCKET: SettingRule<string>;
  S3_ACCESS_KEY_ID: SettingRule<string>;
  S3_SECRET_ACCESS_KEY: SettingRule<string>;
  REGISTRY_URL: SettingRule<string>;
  REGISTRY_API_URL: SettingRule<string>;
  API_VERSION: SettingRule<string>;
};

type Values<Rules> = { [Name in keyof Rules]: Rules[Name] extends SettingRule<infer T> ? T | undefined : never };

export declare function readByRules<Rules extends Record<string, SettingRule<unknown>>>(
  rules: Rules,
  env: NodeJS.ProcessEnv,
): { values: Values<Rules>; problems: string[] };
