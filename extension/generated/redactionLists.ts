// Written by `cargo xtask codegen` from core/src/element/redaction/lists.rs. Do not edit.

export const PASSWORDS: readonly string[] =
  "passw passphrase contraseña contrasena contrasenya depasse senha palavrapasse wachtwoord kennwort hasło lösenord passord adgangskode salasana şifre parolă jelszó κωδικόςπρόσβασης пароль 密码 密碼 口令 パスワード 暗証番号 비밀번호 패스워드 비번".split(' ');

export const WORDS: readonly string[] =
  "token secret apikey accesskey privatekey secretkey accountkey masterkey signingkey encryptionkey authkey servicekey clientkey databasekey dbkey privkey signature credential credentials authorization csrf xsrf sessionid sessid".split(' ');

export const WORD_ENDS: readonly string[] =
  "ord d rd ort ordconfirm ordconfirmation value".split(' ');

export const PASSWORD_ENDS: readonly string[] =
  "pass pwd jwt passin passout bearer".split(' ');

export const SHORT_CODE_ENDS: readonly string[] =
  "otp pin cvv cvc".split(' ');

export const NO_CODES: readonly string[] =
  "spin dataspin topspin backspin hairpin".split(' ');

export const CODE_ENDS: readonly string[] =
  "passcode verificationcode securitycode onetimecode onetimepassword logincode signincode authcode accesscode resetcode recoverycode authenticationcode confirmationcode".split(' ');

export const SHORT_CODES: readonly string[] =
  "otp pin".split(' ');

export const LONG_CODES: readonly string[] =
  "totp 2fa mfa".split(' ');

export const CARD_CODES: readonly string[] =
  "cvv cvv2 cvc cvc2 csc".split(' ');

export const BEFORE_CODES: readonly string[] =
  "your my the this enter use ihre deine votre tu su seu".split(' ');

export const AFTER_CODES: readonly string[] =
  "is to for and or at on in with from by before after until till if when while within as has was will can cannot must may might should shall could would works expires opens unlocks lasts gives grants allows lets confirms completes activates stays remains always does you please this unless dans muss".split(' ');

export const COUNTED: readonly string[] =
  "of times lines iterations bytes characters digits points seconds minutes hours days weeks months years users people servers files percent edition".split(' ');

export const VERBS: readonly string[] =
  "is ist lautet es est é è är er jest".split(' ');

export const SAID_OF_CODES: readonly string[] =
  "yourcode enterthecode enterthiscode smscode codetosignin codetologin ihrcode deincode votrecode tucódigo sucódigo seucódigo вашкод кодподтверждения 验证码 驗證碼 認証コード 인증번호".split(' ');

export const SAID_OF_PERSONS: readonly string[] =
  "ssn socialsecurity".split(' ');

export const MAYBE_ENDS: readonly string[] =
  "auth session sess sid sig hmac ticket invite magic oobcode".split(' ');

export const PARAMETERS: readonly string[] =
  "key sig sid code otp pin auth jwt pwd pass cvv cvc".split(' ');

export const FLAGS: readonly string[] =
  "true false null undefined none nil yes no on off auto enabled disabled required optional string password text hidden 0 1 incorrect invalid unchanged forgotten encrypted protected generated mandatory visible strength plaintext".split(' ');

export const FIELDS: readonly string[] =
  "passw cardnum ccnum cardcode cvv cvc securitycode onetimecode otpcode secret token csrf xsrf apikey".split(' ');

export const FIELD_EDGES: readonly string[] =
  "ssn".split(' ');

export const PREFIXES: readonly string[] =
  "sk- sk_live_ sk_test_ pk_live_ pk_test_ rk_live_ rk_test_ whsec_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ xapp- glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- GR1348941 npm_ pypi- A3T AIza ya29. GOCSPX- 1//0 hf_ gsk_ xai- pplx- r8_ dop_v1_ doo_v1_ dor_v1_ EAAA SG. xkeysib- key- hvs. hvb. dp.pt. dp.st. dckr_pat_ dapi PMAK- rubygems_ lin_api_ figd_ ATATT3 ATBB NRAK- NRJS- sntrys_ sntryu_ phc_ phx_ sbp_ sb_secret_ pscale_ tskey- CFPAT- rzp_live_ rzp_test_ shippo_live_ EZAK FLWSECK sl. LTAI AKID ntn_ glsa_ glc_ CCIPAT_ nfp_ pcsk_ AGE-SECRET-KEY- secret_ tfp_ aio_ pat- cio bkua_ ops_ dG9r oy2 CLOJARS_ HRKU- pul- rdme_ shpit_ access- lsv2_ re_ xox AKC shpat_ shpca_ shppa_ shpss_ shptka_ AKIA ASIA ABIA ACCA AGPA AIDA AIPA ANPA ANVA APKA AROA ASCA ABSK bedrock-api-key- da2- amzn.mws. IGQVJ v1.local. v2.local. v3.local. v4.local. v1.public. v2.public. v3.public. v4.public. k1.local k2.local k3.local k4.local k1.secret k2.secret k3.secret k4.secret access_token$production$ dckr_oat_ PMAT- NRBR- NRII- 3MVG ck_ ak_ oak_ uak_ TlRMTVNTUAA AAAAAAAAAAAAAAAAAAAAA akab- dnkey- dt0c01. SWMTKN-1- SWMKEY-1- tvly- llx- nyk_v0_ waka_ RGAPI- AP0 AP1 AP2 AP3 AP4 AP5 AP6 AP7 AP8 AP9 APA APB APC APD APE APF sgp_ vcp_ cosmo_ tgp_v1_ cfat_ cfut_ cfk_ sq0 glffct- glrtr- glwt- BBDC-".split(' ');

export const HOOKS: readonly string[] =
  "hooks.slack.com/ /api/webhooks/ .office.com/webhook hooks.zapier.com/hooks/ telegram.org/bot /with/key/ .logic.azure.com/workflows/ hooks.airtable.com/ webhook.site/".split(' ');

export const LINKS: readonly string[] =
  "reset magic verif invit activat confirm unsubscri login signin auth passw recover token session share join secret otp sso accept".split(' ');
