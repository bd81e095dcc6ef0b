//! Every list of words that redaction goes by, in one place. `cargo xtask codegen` writes them for the content script,
//! so that page and core cannot differ. One string each, words parted by spaces: the smallest form in WASM.

/// Parts of names of what people make up, normalised: `user[password]`, `Passwort`, `mot de passe`.
pub(super) const PASSWORDS: &str = "passw passphrase contraseña contrasena contrasenya depasse senha palavrapasse wachtwoord kennwort hasło lösenord \
    passord adgangskode salasana şifre parolă jelszó κωδικόςπρόσβασης пароль 密码 密碼 口令 パスワード 暗証番号 비밀번호 패스워드 비번";

/// Parts of names of other secrets, normalised: `access_token`, `X-Api-Key`.
pub(super) const WORDS: &str = "token secret apikey accesskey privatekey secretkey accountkey masterkey signingkey \
    encryptionkey authkey servicekey clientkey databasekey dbkey privkey signature credential credentials authorization csrf xsrf sessionid sessid";

/// What may follow such a part when the name still means the secret itself; digits may follow too.
pub(super) const WORD_ENDS: &str = "ord d rd ort ordconfirm ordconfirmation value";

/// Ends of names of passwords that are too short to be looked for in the middle of a name.
pub(super) const PASSWORD_ENDS: &str = "pass pwd jwt passin passout bearer";

/// Ends of names of short codes that people type, too short to be looked for in a sentence.
pub(super) const SHORT_CODE_ENDS: &str = "otp pin cvv cvc";

/// Names that end in one of these and mean something else: `Spin: 1200 rpm`.
pub(super) const NO_CODES: &str = "spin dataspin topspin backspin hairpin";

/// Ends of names of such codes, looked for in sentences too.
pub(super) const CODE_ENDS: &str = "passcode verificationcode securitycode onetimecode onetimepassword logincode \
    signincode authcode accesscode resetcode recoverycode authenticationcode confirmationcode";

/// Whole words right before a code of 4 to 8 digits: `OTP 482910`.
pub(super) const SHORT_CODES: &str = "otp pin";

/// Those that stand before other numbers too, so that it takes 6 digits or a sign: `2FA 2024`.
pub(super) const LONG_CODES: &str = "totp 2fa mfa";

/// Those before a card's check number of 3 or 4 digits: `CVV 123`.
pub(super) const CARD_CODES: &str = "cvv cvv2 cvc cvc2 csc";

/// Right before the name of a code they say that it is one, whatever comes behind: `your pin 4829 must`.
pub(super) const BEFORE_CODES: &str = "your my the this enter use ihre deine votre tu su seu";

/// What may follow a code in its sentence, where another word would be what is counted: `pin 1000 messages`.
pub(super) const AFTER_CODES: &str = "is to for and or at on in with from by before after until till if when while within as has was will \
    can cannot must may might should shall could would works expires opens unlocks lasts gives grants allows lets confirms completes \
    activates stays remains always does you please this unless dans muss";

/// What makes a count or a year of a number right behind the name of a code: `run your code 1000 times`.
pub(super) const COUNTED: &str = "of times lines iterations bytes characters digits points seconds minutes hours days weeks months years users \
    people servers files percent edition";

/// What a sentence has between a name and its value: `password is hunter2x`, `Passwort lautet hunter2x`.
pub(super) const VERBS: &str = "is ist lautet es est é è är er jest";

/// What sentences say of such codes besides.
pub(super) const SAID_OF_CODES: &str = "yourcode enterthecode enterthiscode smscode codetosignin codetologin ihrcode deincode votrecode tucódigo \
    sucódigo seucódigo вашкод кодподтверждения 验证码 驗證碼 認証コード 인증번호";

/// What sentences say of numbers of persons.
pub(super) const SAID_OF_PERSONS: &str = "ssn socialsecurity";

/// Ends of names that may hold a secret, or a word of the page.
pub(super) const MAYBE_ENDS: &str = "auth session sess sid sig hmac ticket invite magic oobcode";

/// Names of the parameters of addresses that are always secrets, besides those with one of [`WORDS`].
pub(super) const PARAMETERS: &str = "key sig sid code otp pin auth jwt pwd pass cvv cvc";

/// Values that say nothing, whatever the name.
pub(super) const FLAGS: &str = "true false null undefined none nil yes no on off auto enabled disabled required optional string password \
    text hidden 0 1 incorrect invalid unchanged forgotten encrypted protected generated mandatory visible strength plaintext";

/// Parts of the `name` or `id` of a form field whose value must not be seen.
pub(super) const FIELDS: &str =
    "passw cardnum ccnum cardcode cvv cvc securitycode onetimecode otpcode secret token csrf xsrf apikey";

/// Such parts that are looked for at the ends of a name alone: `business_name` is no number of a person.
pub(super) const FIELD_EDGES: &str = "ssn";

/// What begins the keys and tokens of services.
pub(super) const PREFIXES: &str = "sk- sk_live_ sk_test_ pk_live_ pk_test_ rk_live_ rk_test_ whsec_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ xapp- glpat- \
    gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- GR1348941 npm_ pypi- A3T AIza ya29. GOCSPX- 1//0 hf_ \
    gsk_ xai- pplx- r8_ dop_v1_ doo_v1_ dor_v1_ EAAA SG. xkeysib- key- hvs. hvb. dp.pt. dp.st. dckr_pat_ dapi PMAK- \
    rubygems_ lin_api_ figd_ ATATT3 ATBB NRAK- NRJS- sntrys_ sntryu_ phc_ phx_ sbp_ sb_secret_ pscale_ tskey- CFPAT- \
    rzp_live_ rzp_test_ shippo_live_ EZAK FLWSECK sl. LTAI AKID ntn_ glsa_ glc_ CCIPAT_ nfp_ pcsk_ AGE-SECRET-KEY- secret_ \
    tfp_ aio_ pat- cio bkua_ ops_ dG9r oy2 CLOJARS_ HRKU- pul- rdme_ shpit_ access- lsv2_ re_ xox AKC shpat_ shpca_ shppa_ \
    shpss_ shptka_ AKIA ASIA ABIA ACCA AGPA AIDA AIPA ANPA ANVA APKA AROA ASCA ABSK bedrock-api-key- da2- amzn.mws. IGQVJ \
    v1.local. v2.local. v3.local. v4.local. v1.public. v2.public. v3.public. v4.public. k1.local k2.local k3.local \
    k4.local k1.secret k2.secret k3.secret k4.secret access_token$production$ dckr_oat_ PMAT- NRBR- NRII- 3MVG ck_ ak_ \
    oak_ uak_ TlRMTVNTUAA AAAAAAAAAAAAAAAAAAAAA akab- dnkey- dt0c01. SWMTKN-1- SWMKEY-1- tvly- llx- nyk_v0_ waka_ RGAPI- \
    AP0 AP1 AP2 AP3 AP4 AP5 AP6 AP7 AP8 AP9 APA APB APC APD APE APF sgp_ vcp_ cosmo_ tgp_v1_ cfat_ cfut_ cfk_ sq0 glffct- glrtr- glwt- BBDC-";

/// In addresses: after one of these everything is secret.
pub(super) const HOOKS: &str = "hooks.slack.com/ /api/webhooks/ .office.com/webhook hooks.zapier.com/hooks/ telegram.org/bot /with/key/ \
    .logic.azure.com/workflows/ hooks.airtable.com/ webhook.site/";

/// Parts of a path's segment after which a segment that looks random is a link meant for one person.
pub(super) const LINKS: &str = "reset magic verif invit activat confirm unsubscri login signin auth passw recover token session share \
    join secret otp sso accept";

#[cfg(all(test, feature = "typescript"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]

    /// Written with the types of the wire, and compared with them by `cargo xtask codegen --check`.
    #[test]
    fn export_bindings_redaction_lists() {
        let Ok(folder) = std::env::var("TS_RS_EXPORT_DIR") else { return };
        let lists = [
            ("PASSWORDS", super::PASSWORDS),
            ("WORDS", super::WORDS),
            ("WORD_ENDS", super::WORD_ENDS),
            ("PASSWORD_ENDS", super::PASSWORD_ENDS),
            ("SHORT_CODE_ENDS", super::SHORT_CODE_ENDS),
            ("NO_CODES", super::NO_CODES),
            ("CODE_ENDS", super::CODE_ENDS),
            ("SHORT_CODES", super::SHORT_CODES),
            ("LONG_CODES", super::LONG_CODES),
            ("CARD_CODES", super::CARD_CODES),
            ("BEFORE_CODES", super::BEFORE_CODES),
            ("AFTER_CODES", super::AFTER_CODES),
            ("COUNTED", super::COUNTED),
            ("VERBS", super::VERBS),
            ("SAID_OF_CODES", super::SAID_OF_CODES),
            ("SAID_OF_PERSONS", super::SAID_OF_PERSONS),
            ("MAYBE_ENDS", super::MAYBE_ENDS),
            ("PARAMETERS", super::PARAMETERS),
            ("FLAGS", super::FLAGS),
            ("FIELDS", super::FIELDS),
            ("FIELD_EDGES", super::FIELD_EDGES),
            ("PREFIXES", super::PREFIXES),
            ("HOOKS", super::HOOKS),
            ("LINKS", super::LINKS),
        ];
        let mut file =
            "// Written by `cargo xtask codegen` from core/src/element/redaction/lists.rs. Do not edit.\n"
                .to_owned();
        for (name, list) in lists {
            file += &format!("\nexport const {name}: readonly string[] =\n  {list:?}.split(' ');\n");
        }
        std::fs::write(std::path::Path::new(&folder).join("redactionLists.ts"), file).unwrap();
    }
}
