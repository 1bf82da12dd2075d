// Variables that change what any program does: language, time, network, trust, loading, files; and what applications read.

import type { VariableGroup } from './variable-class.ts';

const posix = {
  provider: 'posix',
  source: 'https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html',
} as const;
const loader = { provider: 'ld.so', source: 'https://man7.org/linux/man-pages/man8/ld.so.8.html' } as const;
const dyld = { provider: 'dyld', source: 'https://keith.github.io/xcode-man-pages/dyld.1.html' } as const;
const curl = { provider: 'curl', source: 'https://curl.se/docs/manpage.html#ENVIRONMENT' } as const;
const openssl = { provider: 'openssl', source: 'https://docs.openssl.org/master/man7/openssl-env/' } as const;
const git = { provider: 'git', source: 'https://git-scm.com/docs/git#_environment_variables' } as const;
const conventions = { provider: 'conventions', source: 'https://12factor.net/config' } as const;
const aws = {
  provider: 'aws',
  source: 'https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html',
} as const;

export const everywhere: readonly VariableGroup[] = [
  {
    ...posix,
    class: 'behaviour',
    likelihood: 'high',
    names: 'CHARSET',
    special: [
      {
        names: 'LANG LC_ALL LC_CTYPE',
        likelihood: 'language',
        family: 'language',
        alike: 'language',
        plain: true,
      },
      {
        names: 'LANGUAGE LC_COLLATE LC_NUMERIC LC_TIME LC_MESSAGES LC_MONETARY',
        likelihood: 'language',
        family: 'language',
        plain: true,
      },
      { names: 'TZ', family: 'time zone', alike: 'zone', plain: true },
      { names: 'PATH[] Path[]', likelihood: 'search path' },
    ],
  },
  {
    ...posix,
    class: 'behaviour',
    names: `TZDIR IFS POSIXLY_CORRECT POSIX_ME_HARDER BASH_ENV ENV SHELLOPTS BASHOPTS LOCPATH
      NLSPATH LOCALE_ARCHIVE I18NPATH CDPATH[] GREP_OPTIONS TAR_OPTIONS XZ_OPT XZ_DEFAULTS GZIP BLOCK_SIZE
      BLOCKSIZE QUOTING_STYLE PATHEXT[] ComSpec`,
    special: [{ names: 'LC_*', plain: true }],
  },
  // `de_DE` for paper and telephone numbers on an English desktop breaks no build.
  {
    ...posix,
    class: 'desktop',
    plain: true,
    names: 'LC_ADDRESS LC_IDENTIFICATION LC_MEASUREMENT LC_NAME LC_PAPER LC_TELEPHONE',
    source: 'https://man7.org/linux/man-pages/man7/locale.7.html',
  },
  {
    ...posix,
    class: 'behaviour',
    names: 'TMPDIR TMP TEMP',
    family: 'temporary folder',
    alike: 'temporary folder',
  },
  {
    ...loader,
    class: 'behaviour',
    likelihood: 'high',
    names: 'LD_LIBRARY_PATH[] LD_PRELOAD[] GLIBC_TUNABLES',
  },
  {
    ...loader,
    class: 'behaviour',
    names: `LD_* MALLOC_* MALLOC_ARENA_MAX GCONV_PATH GETCONF_DIR HOSTALIASES RES_OPTIONS LOCALDOMAIN
      RESOLV_HOST_CONF`,
  },
  {
    ...dyld,
    class: 'behaviour',
    likelihood: 'high',
    names: `DYLD_LIBRARY_PATH[] DYLD_INSERT_LIBRARIES DYLD_FALLBACK_LIBRARY_PATH[] DYLD_FRAMEWORK_PATH[] DYLD_*`,
  },
  {
    ...curl,
    class: 'behaviour',
    likelihood: 'high',
    family: 'proxy',
    names: 'http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy',
    special: [{ names: 'NO_PROXY no_proxy', alike: 'proxy' }],
  },
  {
    ...curl,
    class: 'behaviour',
    special: [{ names: 'ftp_proxy FTP_PROXY', family: 'proxy' }],
    names: `rsync_proxy socks_proxy SOCKS_PROXY CURL_* WGETRC WGET_* auto_proxy`,
  },
  {
    ...openssl,
    class: 'behaviour',
    likelihood: 'high',
    names: 'OPENSSL_CONF',
    special: [
      {
        names: `SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE GIT_SSL_CAINFO AWS_CA_BUNDLE
          NIX_SSL_CERT_FILE HTTPLIB2_CA_CERTS GRPC_DEFAULT_SSL_ROOTS_FILE_PATH`,
        family: 'certificates',
      },
    ],
  },
  { ...openssl, class: 'behaviour', names: 'OPENSSL_* SSLKEYLOGFILE RANDFILE KRB5_CONFIG KRB5CCNAME' },
  {
    ...git,
    class: 'behaviour',
    likelihood: 'high',
    names: `GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_COUNT
      GIT_CONFIG_KEY_* GIT_CONFIG_VALUE_* GIT_CONFIG_PARAMETERS GIT_SSH_COMMAND GIT_SSL_NO_VERIFY`,
  },
  { ...git, class: 'behaviour', names: 'GIT_* GIT_LFS_SKIP_SMUDGE' },
  {
    ...git,
    class: 'personal',
    names: `GIT_ASKPASS GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_PS1_* GIT_TERMINAL_PROMPT GIT_SSH
      GIT_TRACE* GIT_MERGE_AUTOEDIT GIT_PROMPT_*`,
  },
  {
    ...git,
    class: 'identity',
    names: `GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL EMAIL GIT_AUTHOR_DATE
      GIT_COMMITTER_DATE`,
  },
  {
    ...conventions,
    class: 'behaviour',
    likelihood: 'high',
    names: 'CONTINUOUS_INTEGRATION',
    special: [{ names: 'CI', likelihood: 'runner', plain: true }],
    source: 'https://docs.github.com/en/actions/reference/workflows-and-actions/variables',
  },
  {
    ...conventions,
    class: 'behaviour',
    names: 'DEBUG VERBOSE LOG_LEVEL ENVIRONMENT APP_ENVIRONMENT SOURCE_DATE_EPOCH',
  },
  {
    ...conventions,
    class: 'application',
    likelihood: 'high',
    names: `DATABASE_URL *_DATABASE_URL DB_* *_DB_URL POSTGRES_* POSTGRESQL_* PGHOST PGPORT PGUSER PGPASSWORD
      PGDATABASE PGSSLMODE PG* MYSQL_* MARIADB_* MONGO_* MONGODB_* REDIS_URL REDIS_* RABBITMQ_* AMQP_URL
      KAFKA_* ELASTICSEARCH_* OPENSEARCH_* SMTP_* MAIL_* *_API_URL *_BASE_URL *_ENDPOINT API_URL BASE_URL`,
  },
  {
    ...conventions,
    class: 'application',
    names: `*_API_KEY *_SECRET *_TOKEN *_PASSWORD *_SECRET_KEY SECRET_KEY SECRET_KEY_BASE JWT_* STRIPE_*
      SENTRY_* S3_* OAUTH_* FEATURE_* PORT HOST_URL NEXT_PUBLIC_* REACT_APP_* VUE_APP_* NUXT_* GATSBY_*
      EXPO_PUBLIC_* PUBLIC_*`,
  },
  // Keys that people export for their own tools: a project's if it says so.
  {
    ...conventions,
    class: 'personal',
    names: `GITHUB_PAT GH_TOKEN GH_HOST GITLAB_TOKEN HOMEBREW_GITHUB_API_TOKEN OPENAI_API_KEY ANTHROPIC_API_KEY
      GEMINI_API_KEY HF_TOKEN HUGGING_FACE_HUB_TOKEN TAVILY_API_KEY GROQ_API_KEY MISTRAL_API_KEY
      OPENROUTER_API_KEY DIGITALOCEAN_ACCESS_TOKEN CLOUDFLARE_API_TOKEN JIRA_* ATLASSIAN_* SLACK_TOKEN
      LINEAR_API_KEY VAULT_TOKEN BW_SESSION OP_* LASTPASS_* NGROK_* JIRA_API_TOKEN OP_SERVICE_ACCOUNT_TOKEN
      PULUMI_ACCESS_TOKEN SNYK_TOKEN TS_AUTHKEY TELEPORT_* VAULT_ADDR VAULT_NAMESPACE NOMAD_ADDR NOMAD_TOKEN
      CONSUL_HTTP_ADDR CONSUL_HTTP_TOKEN OLLAMA_*`,
  },
  {
    ...aws,
    class: 'tool-setting',
    ecosystems: ['aws', 'terraform'],
    names: `AWS_PROFILE AWS_DEFAULT_PROFILE AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_REGION AWS_DEFAULT_REGION AWS_ENDPOINT_URL AWS_ENDPOINT_URL_* AWS_ACCESS_KEY_ID
      AWS_SECRET_ACCESS_KEY AWS_ROLE_ARN AWS_WEB_IDENTITY_TOKEN_FILE AWS_* SAM_* CDK_*`,
  },
  {
    ...aws,
    class: 'tool-setting',
    ecosystems: ['gcp', 'terraform'],
    names: `GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GCLOUD_PROJECT GCP_* GOOGLE_* CLOUDSDK_*
      FIREBASE_* FIRESTORE_EMULATOR_HOST`,
    special: [{ names: 'CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE', family: 'certificates' }],
    source: 'https://cloud.google.com/docs/authentication/application-default-credentials',
  },
  {
    ...aws,
    class: 'tool-setting',
    ecosystems: ['azure', 'terraform'],
    names: 'AZURE_* ARM_* AZURE_CONFIG_DIR',
    source: 'https://learn.microsoft.com/azure/developer/intro/azure-developer-global-environment-variables',
  },
  {
    provider: 'envsnap',
    source: 'README.md',
    class: 'own',
    names: 'ENVSNAP_API_KEY ENVSNAP_BASE_URL ENVSNAP_PROFILE ENVSNAP_FINGERPRINT_KEY',
  },
];
