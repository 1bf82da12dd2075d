// Variables that change what any program does: language, time, network, trust, loading, files; and what applications read.

import { documented, group, type VariableGroup } from './variable-class.ts';

export const everywhere: readonly VariableGroup[] = [
  ...documented('posix', 'https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html', '', [
    group('behaviour', {
      likelihood: 'high',
      special: [
        {
          names: 'LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES',
          likelihood: 'language',
          family: 'language',
          alike: 'language',
          personal: true,
          plain: true,
          inert: true,
        },
        {
          names: 'LC_COLLATE LC_NUMERIC LC_TIME LC_MONETARY',
          likelihood: 'language',
          family: 'language',
          personal: true,
          plain: true,
          inert: true,
        },
        { names: 'TZ', family: 'time zone', alike: 'zone', personal: true, plain: true, inert: true },
        { names: 'PATH[] Path[]', likelihood: 'search path' },
      ],
    })`CHARSET`,
    group('behaviour', {
      special: [
        { names: 'LC_*', plain: true },
        { names: 'TZDIR', family: 'time zone', personal: true },
        { names: 'LOCPATH LOCALE_ARCHIVE', family: 'language', personal: true },
      ],
    })`IFS POSIXLY_CORRECT POSIX_ME_HARDER BASH_ENV ENV SHELLOPTS BASHOPTS NLSPATH
      I18NPATH CDPATH[] GREP_OPTIONS TAR_OPTIONS XZ_OPT XZ_DEFAULTS GZIP BLOCK_SIZE BLOCKSIZE
      QUOTING_STYLE PATHEXT[] ComSpec`,
  ]),
  ...documented('posix', 'https://man7.org/linux/man-pages/man7/locale.7.html', '', [
    // `de_DE` for paper and telephone numbers on an English desktop breaks no build.
    group('desktop', { plain: true })`LC_ADDRESS LC_IDENTIFICATION LC_MEASUREMENT LC_NAME LC_PAPER
      LC_TELEPHONE`,
  ]),
  ...documented('posix', 'https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html', '', [
    group('behaviour', { family: 'temporary folder', alike: 'temporary folder' })`TMPDIR TEMPDIR TMP TEMP`,
  ]),
  ...documented('ld.so', 'https://man7.org/linux/man-pages/man8/ld.so.8.html', '', [
    group('behaviour', { likelihood: 'high' })`LD_LIBRARY_PATH[] LD_PRELOAD[] GLIBC_TUNABLES`,
    group('behaviour')`LD_* MALLOC_* MALLOC_ARENA_MAX GCONV_PATH GETCONF_DIR HOSTALIASES RES_OPTIONS
      LOCALDOMAIN RESOLV_HOST_CONF`,
  ]),
  ...documented('dyld', 'https://keith.github.io/xcode-man-pages/dyld.1.html', '', [
    group('behaviour', { likelihood: 'high' })`DYLD_LIBRARY_PATH[] DYLD_INSERT_LIBRARIES
      DYLD_FALLBACK_LIBRARY_PATH[] DYLD_FRAMEWORK_PATH[] DYLD_*`,
  ]),
  ...documented('curl', 'https://curl.se/docs/manpage.html#ENVIRONMENT', '', [
    group('behaviour', {
      likelihood: 'high',
      family: 'proxy',
      special: [{ names: 'NO_PROXY no_proxy', alike: 'proxy' }],
    })`http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy`,
    group('behaviour', {
      special: [{ names: 'ftp_proxy FTP_PROXY', family: 'proxy' }],
    })`rsync_proxy socks_proxy SOCKS_PROXY CURL_* WGETRC WGET_* auto_proxy`,
  ]),
  ...documented('openssl', 'https://docs.openssl.org/master/man7/openssl-env/', '', [
    group('behaviour', {
      likelihood: 'high',
      special: [
        {
          names:
            'SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE GIT_SSL_CAINFO AWS_CA_BUNDLE NIX_SSL_CERT_FILE HTTPLIB2_CA_CERTS GRPC_DEFAULT_SSL_ROOTS_FILE_PATH',
          family: 'certificates',
          personal: true,
        },
      ],
    })`OPENSSL_CONF`,
    group('behaviour')`OPENSSL_* SSLKEYLOGFILE RANDFILE KRB5_CONFIG KRB5CCNAME`,
  ]),
  ...documented('git', 'https://git-scm.com/docs/git#_environment_variables', '', [
    group('behaviour', { likelihood: 'high' })`GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_CONFIG_GLOBAL
      GIT_CONFIG_SYSTEM GIT_CONFIG_COUNT GIT_CONFIG_KEY_* GIT_CONFIG_VALUE_* GIT_CONFIG_PARAMETERS
      GIT_SSH_COMMAND GIT_SSL_NO_VERIFY`,
    group('behaviour')`GIT_* GIT_LFS_SKIP_SMUDGE`,
    group('personal')`GIT_ASKPASS GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_PS1_* GIT_TERMINAL_PROMPT
      GIT_SSH GIT_TRACE* GIT_MERGE_AUTOEDIT GIT_PROMPT_*`,
    group('identity')`GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL EMAIL
      GIT_AUTHOR_DATE GIT_COMMITTER_DATE`,
  ]),
  ...documented(
    'conventions',
    'https://docs.github.com/en/actions/reference/workflows-and-actions/variables',
    '',
    [
      group('behaviour', {
        likelihood: 'high',
        special: [{ names: 'CI', likelihood: 'runner', personal: true, plain: true, inert: true }],
      })`CONTINUOUS_INTEGRATION`,
    ],
  ),
  ...documented('conventions', 'https://12factor.net/config', '', [
    group('behaviour', {
      special: [
        { names: 'APP_ENV', plain: true, inert: true },
        { names: 'SOURCE_DATE_EPOCH', inert: true },
      ],
    })`DEBUG VERBOSE LOG_LEVEL ENVIRONMENT APP_ENVIRONMENT APP_DEBUG`,
    group('application', { likelihood: 'high' })`DATABASE_URL *_DATABASE_URL DB_* *_DB_URL POSTGRES_*
      POSTGRESQL_* PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSSLMODE PG* MYSQL_* MARIADB_* MONGO_*
      MONGODB_* REDIS_URL REDIS_* RABBITMQ_* AMQP_URL KAFKA_* ELASTICSEARCH_* OPENSEARCH_* SMTP_* MAIL_*
      *_API_URL *_BASE_URL *_ENDPOINT API_URL BASE_URL`,
    group('application')`*_API_KEY *_SECRET *_TOKEN *_PASSWORD *_SECRET_KEY SECRET_KEY SECRET_KEY_BASE JWT_*
      STRIPE_* SENTRY_* S3_* OAUTH_* FEATURE_* PORT HOST_URL NEXT_PUBLIC_* REACT_APP_* VUE_APP_* NUXT_*
      GATSBY_* EXPO_PUBLIC_* PUBLIC_* FIREBASE_* AZURE_OPENAI_* GITHUB_APP_* *_BUCKET *_BUCKET_NAME *_CLIENT_ID
      *_CLIENT_SECRET`,
    // Keys that people export for their own tools: a project's if it says so.
    group('personal')`GITHUB_PAT GH_TOKEN GH_HOST GITLAB_TOKEN HOMEBREW_GITHUB_API_TOKEN OPENAI_API_KEY
      ANTHROPIC_API_KEY GEMINI_API_KEY HF_TOKEN HUGGING_FACE_HUB_TOKEN TAVILY_API_KEY GROQ_API_KEY
      MISTRAL_API_KEY OPENROUTER_API_KEY DIGITALOCEAN_ACCESS_TOKEN CLOUDFLARE_API_TOKEN JIRA_* ATLASSIAN_*
      SLACK_TOKEN LINEAR_API_KEY VAULT_TOKEN BW_SESSION OP_* LASTPASS_* NGROK_* JIRA_API_TOKEN
      OP_SERVICE_ACCOUNT_TOKEN PULUMI_ACCESS_TOKEN SNYK_TOKEN TS_AUTHKEY TELEPORT_* VAULT_ADDR VAULT_NAMESPACE
      NOMAD_ADDR NOMAD_TOKEN CONSUL_HTTP_ADDR CONSUL_HTTP_TOKEN OLLAMA_*`,
  ]),
  ...documented(
    'aws',
    'https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html',
    'aws terraform',
    [
      group('tool-setting')`AWS_PROFILE AWS_DEFAULT_PROFILE AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE
      AWS_REGION AWS_DEFAULT_REGION AWS_ENDPOINT_URL AWS_ENDPOINT_URL_* AWS_ACCESS_KEY_ID
      AWS_SECRET_ACCESS_KEY AWS_ROLE_ARN AWS_WEB_IDENTITY_TOKEN_FILE AWS_* SAM_* CDK_*`,
    ],
  ),
  ...documented(
    'google-cloud',
    'https://cloud.google.com/docs/authentication/application-default-credentials',
    'gcp terraform',
    [
      group('tool-setting', {
        special: [{ names: 'CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE', family: 'certificates' }],
      })`GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GCLOUD_PROJECT GCP_* GOOGLE_CLOUD_*
      GOOGLE_CREDENTIALS GOOGLE_PROJECT GOOGLE_REGION GOOGLE_ZONE GOOGLE_IMPERSONATE_* CLOUDSDK_*
      FIRESTORE_EMULATOR_HOST`,
    ],
  ),
  ...documented(
    'azure',
    'https://learn.microsoft.com/azure/developer/intro/azure-developer-global-environment-variables',
    'azure terraform',
    [
      group('tool-setting')`AZURE_* ARM_* AZURE_CONFIG_DIR AZURE_CLIENT_ID AZURE_CLIENT_SECRET
      ARM_CLIENT_ID ARM_CLIENT_SECRET`,
    ],
  ),
  ...documented('envsnap', 'README.md', '', [
    group('own')`ENVSNAP_API_KEY ENVSNAP_BASE_URL ENVSNAP_PROFILE ENVSNAP_FINGERPRINT_KEY`,
  ]),
];
