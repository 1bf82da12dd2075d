// Which variables are secrets: the table of decisions. All values are made up; none was ever valid.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyVariable } from '../../../packages/capture/src/variables/classify-variable.ts';

/** Prefixes stand apart from the rest, so that no scanner of this repository takes a made-up token for a real one. */
const t = (...parts: string[]): string => parts.join('');
const mixed = 'a8Kd0Zp3Qx7Lm2Vn5Rt9Yw1Bc4Hf6Js';
const mixed40 = 'a8Kd0Zp3Qx7Lm2Vn5Rt9Yw1Bc4Hf6Js0Ug2Ie8Oq';
const hex32 = '9f86d081884c7d659a2feaa0c55ad015';
const hex40 = '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12';
const hex64 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const uuid = '6f1c7b1e-3c0a-4d53-9c43-7a0c6a0f9b3d';

const secrets: readonly (readonly [name: string, value: string])[] = [
  // By name
  ['PASSWORD', 'hunter2'],
  ['DB_PASSWORD', 'x'],
  ['dbPassword', 'correct horse'],
  ['MYSQL_ROOT_PASSWORD', '12345'],
  ['MYSQL_PWD', 'letmein'],
  ['PGPASSWORD', 'postgres'],
  ['REDIS_PASS', 'abc'],
  ['SSH_PASSPHRASE', 'my phrase'],
  ['API_KEY', 'abc123'],
  ['apiKey', 'abc123'],
  ['OPENAI_API_KEY', 'anything'],
  ['X-API-Key', 'anything'],
  ['APIKEY', 'anything'],
  ['STRIPE_SECRET', 'anything'],
  ['SESSION_SECRET', 'keyboard cat'],
  ['SECRET', 's'],
  ['SECRETS', 's'],
  ['SECRET_KEY_BASE', 'short'],
  ['clientSecret', 'short'],
  ['AZURE_CLIENT_SECRET', 'short'],
  ['AWS_SECRET_ACCESS_KEY', 'short'],
  ['AWS_ACCESS_KEY_ID', 'short'],
  ['AWS_SESSION_TOKEN', 'short'],
  ['GITHUB_TOKEN', 'short'],
  ['GH_PAT', 'short'],
  ['NPM_TOKEN', 'short'],
  ['npm_config__authToken', 'short'],
  ['ACCESS_TOKEN_2', 'short'],
  ['VAULT_TOKEN', 'root'],
  ['JWT', 'short'],
  ['JWT_SECRET', 'short'],
  ['PRIVATE_KEY', 'short'],
  ['SIGNING_KEY', 'short'],
  ['ENCRYPTION_KEY', 'short'],
  ['MASTER_KEY', 'short'],
  ['RAILS_MASTER_KEY', 'short'],
  ['APP_KEY', 'base64:abc'],
  ['LICENSE_KEY', 'AAAA-BBBB'],
  ['DATADOG_KEY', 'short'],
  ['KEY', 'short'],
  ['CREDENTIALS', 'user:pass'],
  ['DOCKER_AUTH', 'dXNlcg'],
  ['BASIC_AUTH', 'admin:admin'],
  ['COOKIE', 'a=b'],
  ['SLACK_WEBHOOK', 'short'],
  ['PASSWORD_SALT', 'short'],
  ['WALLET_MNEMONIC', 'abandon abandon'],
  ['TOTP', '123456'],
  ['AZURE_STORAGE_CONNECTION_STRING', 'short'],
  ['SENTRY_DSN', 'short'],
  ['MY_CREDS', 'short'],
  ['userPasswd', 'short'],
  ['TOKEN', 'yes'],
  ['MYSQLPASSWORD', 'short'],
  ['GITHUBTOKEN', 'short'],
  ['oauthclientsecret', 'short'],
  ['VAULT_SECRET_ID', uuid],
  ['PIN_CODE', '4711'],
  // By value: services
  ['A', t('ghp', '_', mixed, 'abcd')],
  ['A', t('gho', '_', mixed, 'abcd')],
  ['A', t('ghs', '_', mixed, 'abcd')],
  ['A', t('github', '_pat_', '11ABCDEFG0', mixed40)],
  ['A', t('glpat', '-', 'x7Qk2mZp9Lr4Tv8Wn3Bc')],
  ['A', t('AKIA', 'Q3EGRZ7DEXAMPLE5')],
  ['A', t('ASIA', 'Q3EGRZ7DEXAMPLE5')],
  ['A', t('xoxb', '-2034567890-abcdefghij')],
  ['A', t('xoxp', '-2034567890-abcdefghij')],
  ['A', t('xapp', '-1-A0123456789-abcdefghij')],
  ['A', t('https://hooks.', 'slack.com/services/T0/B0/xyz')],
  ['A', t('https://discord', '.com/api/webhooks/123/abc')],
  ['A', t('sk', '_live_', '4eC39HqLyjWDarjtT1zdp7dc')],
  ['A', t('sk', '_test_', '4eC39HqLyjWDarjtT1zdp7dc')],
  ['A', t('rk', '_live_', '4eC39HqLyjWDarjtT1zdp7dc')],
  ['A', t('whsec', '_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
  ['A', t('sk', '-ant-api03-', mixed)],
  ['A', t('sk', '-proj-', mixed)],
  ['A', t('sk', '-', mixed40)],
  ['A', t('AIza', 'SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q')],
  ['A', t('ya29', '.a0AfH6SMBx1y2z3')],
  ['A', t('GOCSPX', '-a1B2c3D4e5F6g7H8i9J0k1L2')],
  ['A', t('npm', '_', mixed, 'abcd')],
  ['A', t('pypi', '-AgEIcHlwaS5vcmcCJDEx')],
  ['A', t('dckr', '_pat_', mixed)],
  ['A', t('SG', '.ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf09kqeF8tAmbihYzrnopKc1s5cr')],
  ['A', t('key', '-3ax6xnjp29jd6fds4gc373sgvjxteol0').replace(/[g-z]/g, 'a')],
  ['A', t('SK', hex32)],
  ['A', t('dop', '_v1_', hex64)],
  ['A', t('shpat', '_', hex32)],
  ['A', t('hf', '_', mixed, 'abcd')],
  ['A', t('dapi', hex32)],
  ['A', t('hvs', '.CAESIJ1y2z3a4b5c6d7e8f9')],
  ['A', t('lin', '_api_', mixed40)],
  ['A', t('ntn', '_', mixed40, 'a1')],
  ['A', t('figd', '_', mixed)],
  ['A', t('NRAK', '-ABCDEFGHIJKLMNOPQRSTUVWXYZ1')],
  ['A', t('glc', '_eyJvIjoiMTIzIiwibiI6InRlc3QiLCJrIjoiYWJj')],
  ['A', t('tskey', '-auth-kAbCdEf1CNTRL-abcdef')],
  ['A', t('mk', '_', hex64)],
  ['A', t('123456789', ':AA', 'HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw2')],
  ['A', t('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U')],
  ['A', `prefix ${t('ghp', '_', mixed, 'abcd')} suffix`],
  // By value: keys, credentials, random words
  ['A', '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----'],
  ['A', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n-----END OPENSSH PRIVATE KEY-----'],
  ['A', '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ'],
  ['A', '{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\\nMII"}'],
  ['DATABASE_URL', 'postgres://u:p@h/d'],
  ['DATABASE_URL', 'postgres://u:hun/ter2@h/d'],
  ['SOME_ADDRESS', 'https://bob:hun#ter2@h/d'],
  ['SOME_ADDRESS', 'https://bob:hun?ter2@h/d'],
  ['SOME_ADDRESS', 'https://a.example/x,https://bob:hun/ter2@h/d'],
  ['DATABASE_URL', 'mysql://root:secret@127.0.0.1:3306/app'],
  ['REDIS_URL', 'redis://:p4ss@cache:6379/0'],
  ['AMQP_URL', 'amqps://user:pa%40ss@mq/vhost'],
  ['MONGO_URI', 'mongodb+srv://app:pw@cluster0.example.net/db'],
  ['HTTPS_PROXY', 'http://me:pw@proxy:3128'],
  ['PIP_INDEX_URL', 'https://__token__:abc@pypi.example/simple'],
  ['GIT_REMOTE', `https://${mixed}@github.example/org/repo`],
  ['ERRORS_TO', `https://${hex32}@o1.ingest.example/2`],
  ['JDBC', 'jdbc:postgresql://h/d?user=u&password=pw'],
  ['LIBPQ', 'host=h dbname=d user=u password=pw'],
  ['MSSQL', 'Server=h;Database=d;User Id=u;Password=pw;'],
  ['BLOB', 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=Zm9v;EndpointSuffix=x'],
  ['MYSQL_DSN_GO', 'root:pw@tcp(127.0.0.1:3306)/db'],
  ['JAVA_OPTS', '-Xmx1g -Djavax.net.ssl.trustStorePassword=changeit'],
  ['CALLBACK', 'https://x.example/cb?access_token=abc'],
  ['BLOB_URL', 'https://a.blob.example/c?sv=1&sig=abc%3D'],
  ['NPMRC', '//registry.example/:_authToken=abc'],
  ['HEADER', 'Authorization: Bearer abcdefgh12345678'.slice(15)],
  ['HASHED', '$2b$12$EixZaYVK1fsbw1ZfbX3OXePaWxn96p36WQoeG6Lruj3vjPGga31lW'],
  ['HASHED', '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b7dWg'],
  ['STUFF', mixed],
  ['STUFF', mixed40],
  ['STUFF', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  ['STUFF', '8f14e45fceea167a5a36dedd4bea2543'],
  ['STUFF', hex64],
  ['STUFF', 'q83vEjRWeJq83vEjRWeJq83vEjRWeA=='],
  ['STUFF', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  ['STUFF', `config: { value: "${mixed40}" }`],
];

const innocents: readonly (readonly [name: string, value: string])[] = [
  ['AUTHOR', 'Ada Lovelace'],
  ['GIT_AUTHOR_NAME', 'Ada'],
  ['SMTP_FROM', 'ada@example.org'],
  ['AUTHORITY', 'example.org'],
  ['KEYBOARD_LAYOUT', 'de'],
  ['XKB_DEFAULT_LAYOUT', 'us'],
  ['MONKEY_PATCH', '1'],
  ['HOTKEY', 'ctrl+k'],
  ['TURKEY', 'gobble'],
  ['PASSENGER_APP_ENV', 'production'],
  ['COMPASS', 'north'],
  ['BYPASS', 'lo'],
  ['TOKENIZERS_PARALLELISM', 'false'],
  ['TOKENIZER', 'bpe'],
  ['SECRETARY', 'Bob'],
  ['PINNED', 'yes'],
  ['MAX_TOKENS', '4096'],
  ['TOKENS_PER_MINUTE', '90000'],
  ['SALTED', 'yes'],
  ['DESIGNATURE', 'x'],
  ['AUTH_ENABLED', 'true'],
  ['AUTH_METHOD', 'oidc'],
  ['AUTH_PROVIDER', 'okta'],
  ['PASSWORD_MIN_LENGTH', '12'],
  ['PASSWORD_FILE', '/run/secrets/db'],
  ['PASSWORD_STORE_DIR', '/home/u/.password-store'],
  ['TOKEN_TTL', '3600'],
  ['TOKEN_URL', 'https://login.example/oauth/token'],
  ['SECRET_NAME', 'prod/db'],
  ['SECRETS_BACKEND', 'vault'],
  ['KEY_PATH', '/etc/ssl/private/server.key'],
  ['SSL_KEY_FILE', '/etc/ssl/private/server.key'],
  ['SSH_KEY', '/home/u/.ssh/id_ed25519'],
  ['TLS_CERT', '/etc/ssl/server.pem'],
  ['PUBLIC_KEY', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8rX0b1mQyS0n4a2oK3sF7tG9hV5wB6cD8eF0gH1iJ2 me'],
  ['CACHE_KEY', 'v3-linux'],
  ['PRIMARY_KEY', 'id'],
  ['SORT_KEY', 'name'],
  ['SSH_AUTH_SOCK', '/tmp/ssh-XXXXabcd/agent.1234'],
  ['GPG_AGENT_INFO', '/run/user/1000/gnupg/S.gpg-agent:0:1'],
  ['CREDENTIAL_HELPER', 'osxkeychain'],
  ['COOKIE_DOMAIN', 'example.org'],
  ['REQUIRE_PASSWORD', 'true'],
  ['USE_TOKEN', 'False'],
  ['API_KEY', ''],
  ['PASSWORD', '   '],
  ['GOOGLE_APPLICATION_CREDENTIALS_FILE', '/etc/gcp.json'],
  ['BUILD_ID', uuid],
  ['STACK', `run-${uuid}-a`],
  ['GIT_COMMIT', hex40],
  ['COMMIT', hex40.slice(0, 7)],
  ['REVISION', hex40.slice(0, 12)],
  ['VERSION_SHA', hex64],
  ['GOLANG_SHA256', hex64],
  ['IMAGE', `registry.example/app@sha256:${hex64}`],
  [
    'INTEGRITY',
    'sha512-vJ9kS0g9U1cV9R0mZ0mQbA3nVq0t7C5p2i1X8wK4rT6yH2eL7oD1uG5aF3sJ9zB8nM4xQ6cW0vE2tY7iO1pA==',
  ],
  ['PATH', '/usr/local/bin:/usr/bin:/bin:/opt/x86_64-linux-gnu-2.36/bin'],
  ['PATH', 'C:\\Windows\\system32;C:\\Program Files\\nodejs\\'],
  ['MANPATH', ':/usr/share/man'],
  ['NIX_PATH', 'nixpkgs=/nix/var/nix/profiles/per-user/root/channels'],
  ['GCC', '/nix/store/0c7c96gikmzv87i7lv3vq5s1cmfjd6zf-gcc-13.2.0/bin/gcc'],
  ['LD_LIBRARY_PATH', '/usr/local/cuda-13.0/targets/x86_64-linux/lib'],
  ['LANG', 'en_US.UTF-8'],
  ['LC_ALL', 'C'],
  ['TZ', 'America/Argentina/Buenos_Aires'],
  ['TERM', 'xterm-256color'],
  ['SHELL', '/bin/zsh'],
  ['EDITOR', 'code --wait'],
  ['LS_COLORS', 'rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35:do=01;35:*.tar=01;31:*.tgz=01;31'],
  ['LESSOPEN', '| /usr/bin/lesspipe %s'],
  ['NODE_ENV', 'production'],
  ['NODE_OPTIONS', '--max-old-space-size=4096 --enable-source-maps'],
  ['JAVA_HOME', '/usr/lib/jvm/java-17-openjdk-amd64'],
  ['JAVA_OPTS', '-Xmx2g -XX:+UseG1GC -Dfile.encoding=UTF-8'],
  ['JAVA_OPTS', '-XX:+HeapDumpOnOutOfMemoryError -XX:MaxGCPauseMillis=200 -XX:ReservedCodeCacheSize=256m'],
  ['GOFLAGS', '-mod=vendor -trimpath'],
  ['CFLAGS', '-O2 -g -fstack-protector-strong -D_FORTIFY_SOURCE=2'],
  ['HTTP_PROXY', 'http://proxy.example:3128'],
  ['NO_PROXY', 'localhost,127.0.0.1,.example.org,10.0.0.0/8'],
  ['DATABASE_URL', 'postgres://localhost/app'],
  ['SOME_ADDRESS', 'http://localhost:3000/@scope/x@1.0'],
  ['SOME_ADDRESS', 'http://[::1]:3000/@scope/x'],
  ['DATABASE_URL', 'postgres://app@db.example:5432/app'],
  ['GIT_REMOTE', 'ssh://git@github.example/org/repo.git'],
  ['SENTRY_RELEASE', 'frontend@2.13.0+20240115'],
  ['REGISTRY', 'https://registry.npmjs.example/'],
  ['URL', 'https://docs.example.org/guides/getting-started/installation-and-configuration'],
  ['FEATURES', 'new-checkout,dark_mode,experimental-recommendations'],
  ['MAIN_CLASS', 'org.springframework.boot.loader.launch.JarLauncher'],
  ['APPLICATION', 'MyVeryLongApplicationNameForTheEnterprise'],
  ['DEPLOYMENT', 'customer-portal-staging-eu-central-1'],
  ['KUBERNETES_PORT', 'tcp://10.96.0.1:443'],
  ['POD', 'web-7c9d8f6b5-x2x7q'],
  ['PHONE', '+49 30 1234567890'],
  ['NUMBER', '12345678901234567890123'],
  ['TIMESTAMP', '2026-02-07T13:00:00.000Z'],
  ['GO_PSEUDO', 'v0.0.0-20240115123456-abcdef123456'],
  ['USER_AGENT', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0.0.0'],
  ['ALPHABET', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  ['DIGITS', '0000000000000000000000000000000000000000000000'],
  ['GREETING', 'Hello, wörld! 你好'],
  [
    'CERTIFICATE_PEM',
    '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQk3Zx8Vn5Rt9Yw1Bc4Hf6Js0Ug2I\n-----END CERTIFICATE-----',
  ],
  ['BASH_FUNC_greet%%', '() {  echo "hello $1"\n}'],
  ['AWS_REGION', 'eu-central-1'],
  ['AWS_PROFILE', 'staging'],
  ['DOCKER_HOST', 'unix:///var/run/docker.sock'],
  ['CI', 'true'],
  ['PKG_CONFIG_PATH', '/opt/homebrew/opt/openssl@3/lib/pkgconfig'],
  ['npm_config_registry', 'https://registry.example/'],
  ['TOKEN_ENDPOINT', 'https://auth.example/realms/main/protocol/openid-connect/token'],
  ['BUILD_COMMAND', 'pnpm --filter=web run build --mode=production'],
  ['STRIPE_PUBLISHABLE', t('pk', '_live_', 'x').slice(0, 7)],
];

describe('the decision on a variable', () => {
  test(`holds for the table of ${secrets.length} secrets and ${innocents.length} innocents`, () => {
    expect(secrets.length + innocents.length).toBeGreaterThanOrEqual(150);
  });

  test.each(secrets)('hides %s=%s', (name, value) => {
    expect(classifyVariable(name, value)).toMatchObject({ decision: 'secret' });
  });

  test.each(innocents)('shows %s=%s', (name, value) => {
    expect(classifyVariable(name, value)).toMatchObject({ decision: 'plain' });
  });

  test('never repeats any of the value in its reason', () => {
    for (const [name, value] of secrets) {
      const { reason } = classifyVariable(name, value);
      for (const word of value.split(/\s+/)) if (word.length > 8) expect(reason).not.toContain(word);
    }
  });

  test('hides random keys in base64, base64url, base36 and hexadecimal whatever the name', () => {
    const encodings = [
      (bytes: Uint8Array) => Buffer.from(bytes).toString('base64'),
      (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url'),
      (bytes: Uint8Array) => Buffer.from(bytes).toString('hex'),
    ];
    const key = fc.uint8Array({ minLength: 32, maxLength: 64 }).filter((bytes) => new Set(bytes).size > 24);
    let hidden = 0;
    let drawn = 0;
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), key, fc.constantFrom(...encodings), (_, bytes, encode) => {
        drawn += 1;
        if (classifyVariable('VALUE', encode(bytes)).decision === 'secret') hidden += 1;
      }),
      { numRuns: 2000, seed: 7 },
    );
    expect(hidden / drawn).toBeGreaterThan(0.97);
  });

  test('answers for any name and value in time that grows with their length only', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', maxLength: 500 }),
        (name, value) => {
          expect(['plain', 'secret']).toContain(classifyVariable(name, value).decision);
        },
      ),
    );
    for (const unit of [
      'a',
      '-',
      'a-',
      '://',
      '://a:',
      'password=',
      '/a',
      'eyJ-',
      '$2b$10$',
      'sha1-',
      'a1B',
      '-----BEGIN CERTIFICATE-----',
    ])
      expect(classifyVariable('VALUE', unit.repeat(131_072 / unit.length)).reason).not.toBe('');
  });
});
