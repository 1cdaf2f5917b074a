#!/usr/bin/python3
"""An issuer and two vehicles, each with a token of its own, through python3-pykcs11 only.

story.py MODULE VLDAA DIRECTORY

MODULE is libvldaa-pkcs11.so.  VLDAA is the command, which is the revocation authority here; the manufacturer is
openssl.  Everything is left in DIRECTORY, which must not exist.
"""

import os
import subprocess
import sys

import PyKCS11 as p11

# vldaa/pkcs11-vldaa.h
SETUP, MEMBER, NONCE, REQUEST, ISSUE, FINISH, CREATE, SIGN, SIGN_COMPACT, REVOKE = range(0xD6440001, 0xD644000B)
CKA_BASENAME, CKA_NYM, CKA_ATTESTATION = 0x96440004, 0x96440005, 0x96440006
CKA_REVOCATION_KEY, CKA_ROOTS, CKA_FLEET_KEY = 0x96440008, 0x96440009, 0x9644000A
CKA_PUBLIC_KEY_INFO = 0x129
NOT_MINE, REVOKED = 0xD644002C, 0xD644002B
# PKCS#11 3.2
CKM_ML_DSA, CKK_ML_DSA = 0x1D, 0x4A

PIN, SO_PIN = "a PIN of four or more", "the security officer's"


def step(text):
    print("== " + text)


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def write(name, data):
    with open(name, "wb") as f:
        f.write(bytes(data))


def read(name):
    with open(name, "rb") as f:
        return f.read()


def refused(code, call):
    """That the call fails with this return code."""
    try:
        call()
    except p11.PyKCS11Error as e:
        assert e.value == code, f"0x{e.value:x}, not 0x{code:x}"
    else:
        raise AssertionError(f"it was done, and not refused with 0x{code:x}")


class Token:
    """A token that was initialised, and a session in which its user is logged in."""

    def __init__(self, lib, slot, label):
        lib.initToken(slot, SO_PIN, label)
        self.session = lib.openSession(slot, p11.CKF_SERIAL_SESSION | p11.CKF_RW_SESSION)
        self.session.login(SO_PIN, p11.CKU_SO)
        self.session.initPin(PIN)
        self.session.logout()
        self.session.login(PIN)

    def get(self, key, attribute):
        return bytes(self.session.getAttributeValue(key, [attribute], True)[0])

    def find(self, *template):
        (found,) = self.session.findObjects(list(template))
        return found

    def sign(self, mechanism, key, data, parameter=None):
        return bytes(self.session.sign(key, data, p11.Mechanism(mechanism, parameter)))

    def verify(self, mechanism, key, data, signature, parameter=None):
        return self.session.verify(key, data, p11.ckbytelist(signature), p11.Mechanism(mechanism, parameter))

    def endorse(self):
        """The manufacturer's certificate for the endorsement key."""
        request = self.find((p11.CKA_CLASS, p11.CKO_DATA), (p11.CKA_LABEL, "endorsement certificate request"))
        write("ek.csr", self.get(request, p11.CKA_VALUE))
        run("openssl", "x509", "-req", "-inform", "DER", "-in", "ek.csr", "-CA", "root.pem", "-CAkey", "root.key",
            "-CAcreateserial", "-days", "365", "-outform", "DER", "-out", "ek.crt")
        self.session.createObject([(p11.CKA_CLASS, p11.CKO_CERTIFICATE), (p11.CKA_CERTIFICATE_TYPE, p11.CKC_X_509),
                                   (p11.CKA_TOKEN, p11.CK_TRUE), (p11.CKA_VALUE, read("ek.crt"))])

    def join(self, issuer, issuer_key, group):
        """A member of the group; what crosses between the two tokens is nonce, request and answer."""
        _, member = self.session.generateKeyPair([], [], p11.Mechanism(MEMBER, group))
        nonce = issuer.sign(NONCE, issuer_key, b"3600")
        request = self.sign(REQUEST, member, nonce)
        answer = issuer.sign(ISSUE, issuer_key, request)
        self.session.unwrapKey(member, answer, [], p11.Mechanism(FINISH))
        return member

    def create(self, member, basename):
        """A pseudonym: its private key, and the public key that came with it."""
        private = self.session.deriveKey(member, [(p11.CKA_TOKEN, p11.CK_TRUE)], p11.Mechanism(CREATE, basename))
        name = self.session.getAttributeValue(private, [p11.CKA_ID])[0]
        return private, self.find((p11.CKA_CLASS, p11.CKO_PUBLIC_KEY), (p11.CKA_ID, name))


def main(module, vldaa, directory):
    os.makedirs(directory)
    os.chdir(directory)
    places = ["issuer", "car-a", "car-b"]
    for place in places:
        os.mkdir(place)
    os.environ["VLDAA_TOKEN_DIR"] = ":".join(os.path.abspath(place) for place in places)

    step("A manufacturer and a revocation authority (plain openssl)")
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
        "/CN=manufacturer", "-keyout", "root.key", "-out", "root.pem")
    run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "authority.pem")
    run("openssl", "pkey", "-in", "authority.pem", "-pubout", "-outform", "DER", "-out", "authority.der")

    step("Three tokens; each car's endorsement key gets its certificate")
    lib = p11.PyKCS11Lib()
    lib.load(module)
    slots = lib.getSlotList()
    issuer, car_a, car_b = (Token(lib, slots[i], place) for i, place in enumerate(places))
    car_a.endorse()
    car_b.endorse()

    step("Setup: the issuer founds a group")
    group_key, issuer_key = issuer.session.generateKeyPair(
        [], [(CKA_REVOCATION_KEY, read("authority.der")), (CKA_ROOTS, read("root.pem"))], p11.Mechanism(SETUP))
    group = issuer.get(group_key, p11.CKA_VALUE)

    step("Join: both cars become members; only here the issuer learns who")
    member_a = car_a.join(issuer, issuer_key, group)
    member_b = car_b.join(issuer, issuer_key, group)

    step("Create: a pseudonym of each car for the basename platoon-7")
    platoon_a, public_a = car_a.create(member_a, b"platoon-7")
    platoon_b, public_b = car_b.create(member_b, b"platoon-7")
    assert car_a.get(public_a, CKA_NYM) != car_b.get(public_b, CKA_NYM)

    step("Sign, and Verify by whoever has the group's public key")
    message = b"brakes at kilometre 17"
    signature = car_a.sign(SIGN, platoon_a, message)
    assert issuer.verify(SIGN, group_key, message, signature)
    assert issuer.verify(SIGN, group_key, message, signature, b"platoon-7")
    assert not issuer.verify(SIGN, group_key, message, signature, b"platoon-8")
    assert not issuer.verify(SIGN, group_key, message + b"0", signature)
    # The member's key signs for a basename and leaves no pseudonym behind.
    assert issuer.verify(SIGN, group_key, message, car_b.sign(SIGN, member_b, message, b"toll"), b"toll")

    step("Short signatures, for who holds the attestation: ours, and ML-DSA's own")
    seen = issuer.session.createObject([(p11.CKA_CLASS, p11.CKO_PUBLIC_KEY), (p11.CKA_KEY_TYPE, CKK_ML_DSA),
                                        (CKA_ATTESTATION, car_a.get(public_a, CKA_ATTESTATION))])
    compact = car_a.sign(SIGN_COMPACT, platoon_a, message)
    bare = car_a.sign(CKM_ML_DSA, platoon_a, message)
    assert issuer.verify(SIGN_COMPACT, seen, message, compact)
    assert issuer.verify(CKM_ML_DSA, seen, message, bare)
    assert not issuer.verify(CKM_ML_DSA, seen, message, car_b.sign(CKM_ML_DSA, platoon_b, message))

    step("Revoke: the authority's order meets its owner, and nobody else")
    write("group.der", issuer.get(group_key, CKA_PUBLIC_KEY_INFO))
    write("fleet.key", issuer.get(issuer_key, CKA_FLEET_KEY))
    write("signature", signature)
    run(vldaa, "revoke", "init", "orders", "--authority", "authority.pem", "--fleet-key", "fleet.key", "--group",
        "group.der")
    run(vldaa, "revoke", "order", "orders", "--signature", "signature", "--soft", "--expires-in", "30d", "-o",
        "order")
    refused(NOT_MINE, lambda: car_b.sign(REVOKE, member_b, read("order")))
    write("confirmation", car_a.sign(REVOKE, member_a, read("order")))
    run(vldaa, "revoke", "confirm", "orders", "confirmation")
    refused(p11.CKR_KEY_HANDLE_INVALID, lambda: car_a.sign(SIGN, platoon_a, message))
    refused(REVOKED, lambda: car_a.create(member_a, b"platoon-7"))
    assert car_b.verify(CKM_ML_DSA, public_b, message, car_b.sign(CKM_ML_DSA, platoon_b, message))
    other, other_public = car_a.create(member_a, b"platoon-8")
    assert car_a.verify(SIGN, other_public, message, car_a.sign(SIGN, other, message))
    print("All as promised.")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.cmd}: {error.stderr.decode()}")
